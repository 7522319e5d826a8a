import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { NOW, queriesIn } from './builder.ts';

/**
 * Makes the relay deliver again what it has delivered since then. The keys are removed, because only one undelivered row
 * may have each. Returns how many rows there are.
 */
export async function deliverAgain(em: EntityManager, since: Date): Promise<number> {
  const { numUpdatedRows } = await queriesIn(em)
    .updateTable('outbox')
    .set({ deliveredAt: null, dedupeKey: null, availableAt: NOW, attempts: 0 })
    .where('deliveredAt', '>=', since)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

export const addUnrecordedContacts = (em: EntityManager, moments: readonly Date[]) =>
  queriesIn(em)
    .insertInto('unrecorded_contacts')
    .columns(['at'])
    .expression((queries) =>
      queries
        .selectFrom(sql<{ at: Date }>`unnest(${moments}::timestamptz[])`.as<'given'>(sql`given (at)`))
        .select('given.at'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** The running campaigns that contact real people. */
export const runningRealCampaigns = (em: EntityManager) =>
  queriesIn(em)
    .selectFrom('campaigns')
    .select(['id', 'clientId'])
    .where('status', '=', 'RUNNING')
    .where(sql<boolean>`sandbox is not true`)
    .orderBy('clientId')
    .orderBy('id')
    .execute();
