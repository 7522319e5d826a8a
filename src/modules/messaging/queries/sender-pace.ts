import { sql } from 'kysely';
import { queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/**
 * Takes the next turn of a sender and returns when it is, or returns null without taking one when it would come later
 * than `latest`.
 */
export async function takeSenderSlot(
  tx: Tx,
  scope: string,
  { now, latest, intervalMs }: { readonly now: Date; readonly latest: Date; readonly intervalMs: number },
): Promise<Date | null> {
  const interval = sql<Date>`make_interval(secs => ${intervalMs / 1_000}::float8)`;
  const turn = await queriesIn(tx)
    .insertInto('sender_pace')
    .values({ scope, freeFrom: sql<Date>`${now}::timestamptz + ${interval}` })
    .onConflict((conflict) =>
      conflict
        .column('scope')
        .doUpdateSet({ freeFrom: sql<Date>`greatest(sender_pace.free_from, ${now}::timestamptz) + ${interval}` })
        .where('sender_pace.freeFrom', '<=', latest),
    )
    .returning(sql<Date>`sender_pace.free_from - ${interval}`.as('at'))
    .executeTakeFirst();
  return turn?.at ?? null;
}

export const senderSlot = (tx: Tx, scope: string) =>
  queriesIn(tx).selectFrom('sender_pace').select('freeFrom').where('scope', '=', scope).executeTakeFirst();

/**
 * Counts one more person of this hour, and returns how many the account began to reach in the last 24 hours and the
 * whole hour before, with the first of these hours. The row's lock lasts until the transaction ends.
 */
export async function countPerson(
  tx: Tx,
  scope: string,
  now: Date,
): Promise<{ readonly people: number; readonly firstHour: Date }> {
  const hour = sql<Date>`date_trunc('hour', ${now}::timestamptz)`;
  await queriesIn(tx)
    .insertInto('account_hours')
    .values({ scope, hour, people: 1 })
    .onConflict((conflict) =>
      conflict.columns(['scope', 'hour']).doUpdateSet({ people: sql<number>`account_hours.people + 1` }),
    )
    .execute();
  return queriesIn(tx)
    .selectFrom('account_hours')
    .select(sql<number>`sum(people)::int`.as('people'))
    .select(({ fn }) => fn.min('hour').as('firstHour'))
    .where('scope', '=', scope)
    .where('hour', '>=', sql<Date>`${hour} - interval '24 hours'`)
    .executeTakeFirstOrThrow();
}
