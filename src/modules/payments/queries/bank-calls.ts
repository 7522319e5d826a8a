import { sql } from 'kysely';
import { prepared } from '../../../platform/database/queries/builder.ts';

interface Limit {
  readonly scope: string;
  readonly most: number;
  readonly windowMs: number;
}

/** The call that has to be older than the window before one more is made; null where there are fewer calls. */
const firstOf = ({ most }: Limit) => sql`bank_calls.made_at[cardinality(bank_calls.made_at) - ${most}::int + 1]`;
const windowOf = ({ windowMs }: Limit) => sql`make_interval(secs => ${windowMs}::float8 / 1000)`;

/**
 * Counts a call, or returns no row where the window is full. The clock is read under the row's lock, so that the moments
 * of all processes are in order, and it is real time, because the bank's minute is.
 */
export const TAKE_BANK_CALL = prepared('bank_call_take', (queries, limit: Limit) =>
  queries
    .insertInto('bank_calls')
    .values({ scope: limit.scope, madeAt: sql<Date[]>`array[clock_timestamp()]` })
    .onConflict((conflict) =>
      conflict
        .column('scope')
        .doUpdateSet({
          madeAt: sql<Date[]>`(bank_calls.made_at || clock_timestamp())
            [greatest(1, cardinality(bank_calls.made_at) + 2 - ${limit.most}::int):]`,
        })
        .where(sql<boolean>`coalesce(${firstOf(limit)} <= clock_timestamp() - ${windowOf(limit)}, true)`),
    )
    .returning('scope'),
);

export const BANK_CALL_WAIT = prepared('bank_call_wait', (queries, limit: Limit) =>
  queries
    .selectFrom('bank_calls')
    .select(
      sql<number>`(extract(epoch from ${firstOf(limit)} + ${windowOf(limit)} - clock_timestamp()) * 1000)::float8`.as(
        'ms',
      ),
    )
    .where('scope', '=', limit.scope),
);
