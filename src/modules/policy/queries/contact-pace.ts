import { sql } from 'kysely';
import { queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

interface Wish {
  readonly opening: number;
  readonly contacts: number;
}

interface Pace {
  readonly scope: string;
  readonly now: Date;
  readonly intervalMs: number;
}

/**
 * Takes the next moments after each opening and returns the first one, by opening. The rows are locked in the order of
 * the openings, so that two campaigns that plan at the same time wait for each other.
 */
export async function takeMoments(
  tx: Tx,
  { scope, now, intervalMs }: Pace,
  wishes: readonly Wish[],
): Promise<ReadonlyMap<number, number>> {
  if (wishes.length === 0) return new Map();
  const taken = await queriesIn(tx)
    .insertInto('contact_pace')
    .columns(['scope', 'opening', 'freeFrom'])
    .expression((queries) =>
      queries
        .selectFrom(
          sql<{ opening: Date; taken: string }>`unnest(
            ${wishes.map(({ opening }) => new Date(opening))}::timestamptz[],
            ${wishes.map(({ contacts }) => (contacts * intervalMs) / 1_000)}::float8[]
          )`.as<'wish'>(sql`wish (opening, seconds)`),
        )
        .select([sql<string>`${scope}::text`.as('scope'), 'wish.opening'])
        .select(
          sql<Date>`greatest(wish.opening, ${now}::timestamptz) + make_interval(secs => wish.seconds)`.as('freeFrom'),
        )
        .orderBy('wish.opening'),
    )
    .onConflict((conflict) =>
      conflict.columns(['scope', 'opening']).doUpdateSet({
        freeFrom: sql<Date>`greatest(contact_pace.free_from, excluded.opening, ${now}::timestamptz)
          + (excluded.free_from - greatest(excluded.opening, ${now}::timestamptz))`,
      }),
    )
    .returning(['opening', 'freeFrom'])
    .execute();
  const contactsOf = new Map(wishes.map(({ opening, contacts }) => [opening, contacts]));
  return new Map(
    taken.map(({ opening, freeFrom }) => {
      const at = opening.getTime();
      return [at, freeFrom.getTime() - (contactsOf.get(at) ?? 0) * intervalMs];
    }),
  );
}
