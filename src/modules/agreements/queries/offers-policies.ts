import { sql } from 'kysely';
import { queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { OffersPolicy } from '../rules/offers-policy.ts';

/** Returns the newest version, which applies, and the version by which the client last removed its policy. */
export const newestOffersPolicy = (tx: Tx, clientId: string) =>
  queriesIn(tx)
    .selectFrom('offer_policies')
    .select(['id', 'version', 'policy', 'createdAt'])
    .select(({ selectFrom }) =>
      selectFrom('offer_policies as removed')
        .select(({ fn }) => fn.max('removed.version').as('version'))
        .where('removed.clientId', '=', clientId)
        .where('removed.policy', 'is', null)
        .as('removedIn'),
    )
    .where('clientId', '=', clientId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The caller holds the lock of the client's row, so that no other request stores the same version. */
export const insertOffersPolicy = (
  tx: Tx,
  {
    clientId,
    version,
    policy,
  }: { readonly clientId: string; readonly version: number; readonly policy: OffersPolicy | null },
) =>
  queriesIn(tx)
    .insertInto('offer_policies')
    .values({
      clientId,
      version,
      policy: policy === null ? null : sql<OffersPolicy>`${JSON.stringify(policy)}::jsonb`,
    })
    .returning(['id', 'createdAt'])
    .executeTakeFirstOrThrow();

/** Returns the policy as it was in one of its versions; null when it was removed by it. */
export async function policyOfVersion(tx: Tx, clientId: string, version: number): Promise<OffersPolicy | null> {
  const row = await queriesIn(tx)
    .selectFrom('offer_policies')
    .select('policy')
    .where('clientId', '=', clientId)
    .where('version', '=', version)
    .executeTakeFirst();
  return row?.policy ?? null;
}
