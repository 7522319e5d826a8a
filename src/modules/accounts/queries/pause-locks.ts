import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { preparedIn, queriesIn } from '../../../platform/database/queries/builder.ts';

const keyOf = (campaignOrClientId: string | RawBuilder<unknown>): RawBuilder<number> =>
  sql`hashtextextended('silence:' || ${campaignOrClientId}, 0)`;

/**
 * A gate takes this shared lock while it decides and books, so that its client and the campaigns of the debts that it
 * decides about cannot be paused in between. Many gates may have it at once.
 */
export const blockPausing = (em: EntityManager, campaignAndClientIds: readonly string[]) =>
  shareLocks(em, { ids: campaignAndClientIds });
const shareLocks = preparedIn('pause_block', (queries, { ids }: { readonly ids: readonly string[] }) =>
  queries
    .selectFrom(sql<{ id: string }>`unnest(${ids}::text[])`.as<'given'>(sql`given(id)`))
    .select(sql`pg_advisory_xact_lock_shared(${keyOf(sql.ref('id'))})`.as('locked')),
);

/**
 * A pause takes this exclusive lock: it waits for the gates that are deciding, and later gates see the pause. It is
 * taken before any row lock.
 */
export const waitForGates = (em: EntityManager, campaignOrClientId: string) =>
  queriesIn(em)
    .selectNoFrom(sql`pg_advisory_xact_lock(${keyOf(campaignOrClientId)})`.as('locked'))
    .execute();
