import { sql } from 'kysely';
import type { Tx } from '../tx.ts';
import { NOW, queriesIn } from './builder.ts';

/**
 * Makes the relay deliver again what it has delivered since then. The keys are removed, because only one undelivered row
 * may have each. Returns how many rows there are.
 */
export async function deliverAgain(tx: Tx, since: Date): Promise<number> {
  const { numUpdatedRows } = await queriesIn(tx)
    .updateTable('outbox')
    .set({ deliveredAt: null, dedupeKey: null, availableAt: NOW, attempts: 0 })
    .where('deliveredAt', '>=', since)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

export const addUnrecordedContacts = (tx: Tx, moments: readonly Date[]) =>
  queriesIn(tx)
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
export const runningRealCampaigns = (tx: Tx) =>
  queriesIn(tx)
    .selectFrom('campaigns')
    .select(['id', 'clientId'])
    .where('status', '=', 'RUNNING')
    .where(sql<boolean>`sandbox is not true`)
    .orderBy('clientId')
    .orderBy('id')
    .execute();
