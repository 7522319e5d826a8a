import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { queriesIn } from './builder.ts';

const keyOf = (campaignOrClientId: string): RawBuilder<number> =>
  sql`hashtextextended('silence:' || ${campaignOrClientId}, 0)`;

/**
 * A gate takes this shared lock while it decides and books, so that its campaign and its client cannot be paused in
 * between. Many gates may have it at once.
 */
export const blockPausing = (
  em: EntityManager,
  { campaignId, clientId }: { readonly campaignId: string; readonly clientId: string },
) =>
  queriesIn(em)
    .selectNoFrom([
      sql`pg_advisory_xact_lock_shared(${keyOf(campaignId)})`.as('campaign'),
      sql`pg_advisory_xact_lock_shared(${keyOf(clientId)})`.as('client'),
    ])
    .execute();

/**
 * A pause takes this exclusive lock: it waits for the gates that are deciding, and later gates see the pause. It is
 * taken before any row lock.
 */
export const waitForGates = (em: EntityManager, campaignOrClientId: string) =>
  queriesIn(em)
    .selectNoFrom(sql`pg_advisory_xact_lock(${keyOf(campaignOrClientId)})`.as('locked'))
    .execute();
