import { type QueryCreator, type RawBuilder, sql } from 'kysely';
import { prepared, queriesIn, type Tables } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

const keyOf = (campaignOrClientId: string | RawBuilder<unknown>): RawBuilder<number> =>
  sql`hashtextextended('silence:' || ${campaignOrClientId}, 0)`;

/**
 * A gate takes this shared lock while it decides and books, so that its client and the campaigns of the debts that it
 * decides about cannot be paused in between. Many gates may have it at once.
 */
export const blockPausing = (tx: Tx, campaignAndClientIds: readonly string[]) =>
  shareLocks.run(tx, { ids: campaignAndClientIds });
export const takePauseLocks = (queries: QueryCreator<Tables>, campaignAndClientIds: readonly string[]) =>
  queries
    .selectFrom(sql<{ id: string }>`unnest(${campaignAndClientIds}::text[])`.as<'given'>(sql`given(id)`))
    .select(sql`pg_advisory_xact_lock_shared(${keyOf(sql.ref('id'))})`.as('locked'));
const shareLocks = prepared('pause_block', (queries, { ids }: { readonly ids: readonly string[] }) =>
  takePauseLocks(queries, ids),
);

/**
 * A pause takes this exclusive lock: it waits for the gates that are deciding, and later gates see the pause. It is
 * taken before any row lock.
 */
export const waitForGates = (tx: Tx, campaignOrClientId: string) =>
  queriesIn(tx)
    .selectNoFrom(sql`pg_advisory_xact_lock(${keyOf(campaignOrClientId)})`.as('locked'))
    .execute();
