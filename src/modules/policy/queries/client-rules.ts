import { sql } from 'kysely';
import { queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { OwnRules, VersionedOwnRules } from '../rules/campaign-settings.ts';

/** The newest rules of the client whose row is selected beside it; null when it never made any. */
export const OWN_RULES = sql<VersionedOwnRules | null>`(
  select jsonb_build_object('version', client_rules.version, 'rules', client_rules.rules) from client_rules
  where client_rules.client_id = clients.id order by client_rules.version desc limit 1
)`;

export const newestRules = (tx: Tx, clientId: string) =>
  queriesIn(tx)
    .selectFrom('client_rules')
    .select(['version', 'rules', 'createdAt'])
    .where('clientId', '=', clientId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The caller holds the lock of the client's row, so that no other request stores the same version. */
export const insertRules = (
  tx: Tx,
  { clientId, version, rules }: { readonly clientId: string; readonly version: number; readonly rules: OwnRules },
) =>
  queriesIn(tx)
    .insertInto('client_rules')
    .values({ clientId, version, rules: sql<OwnRules>`${JSON.stringify(rules)}::jsonb` })
    .execute();
