import { type Insertable, sql } from 'kysely';
import { prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { nameOfMember } from './member-names.ts';

type NewEntry = Required<Omit<Insertable<Tables['audit_log']>, 'seq' | 'at' | 'memberId'>> & {
  /** For a login, of which no member was known when the request came. */
  readonly memberId?: string;
};

/** It returns nothing, because a role may not read entries that do not belong to the current client. */
export const insertAuditEntry = (tx: Tx, entry: NewEntry) =>
  queriesIn(tx).insertInto('audit_log').values(entry).execute();

interface AuditPage {
  readonly clientId: string;
  /** The number of an entry, as text, because cursors contain it as text. */
  readonly before: string;
  readonly limit: number;
}

/** Returns the entries of a client, the newest first. */
export const AUDIT_OF_CLIENT = prepared('list_audit', (queries, { clientId, before, limit }: AuditPage) =>
  queries
    .selectFrom('audit_log')
    .select([sql<string>`seq::text`.as('seq'), 'at', 'actor', 'action', 'target', 'ip', 'details', 'memberId'])
    .select(nameOfMember('audit_log.member_id').as('memberName'))
    .where('clientId', '=', clientId)
    .where('audit_log.seq', '<', sql<number>`${before}::bigint`)
    .orderBy('audit_log.seq', 'desc')
    .limit(limit),
);

export type AuditRow = ReturnType<(typeof AUDIT_OF_CLIENT)['rowsOf']>[number];

/** The last command to the simulated clocks of a campaign. */
export const LAST_CLOCK_COMMAND = prepared(
  'last_clock_command',
  (queries, { clientId, campaignId }: { readonly clientId: string; readonly campaignId: string }) =>
    queries
      .selectFrom('audit_log')
      .select(sql<string>`details ->> 'command'`.as('command'))
      .where('clientId', '=', clientId)
      .where('action', '=', 'sandbox_clock_moved')
      .where('target', '=', campaignId)
      .orderBy('audit_log.seq', 'desc')
      .limit(1),
);
