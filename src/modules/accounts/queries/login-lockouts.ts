import { sql } from 'kysely';
import { KNOWN_SOURCE_DAYS, LOCK_MINUTES, WRONG_PASSWORDS_UNTIL_LOCK } from '../../../kernel/login-limits.ts';
import { prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';

/**
 * How long a try that was never concluded, because its process died, takes up a place. No password takes this long to
 * be verified, even if the verification has to wait first.
 */
const LEASE_SECONDS = 60;

/** The present moment by the clock of the database. Unlike `now()`, it goes on during a transaction. */
const CLOCK = sql<Date>`clock_timestamp()`;

const SECONDS_LEFT = sql<number>`ceil(extract(epoch from locked_until - clock_timestamp()))::int`;

/**
 * Finds the row that counts the failures of a login. A source that logged in lately has a row of its own, and all other
 * sources share the row of the e-mail. The narrowest source comes first in `sources`. `seconds` is null while the row
 * is not locked.
 */
export const LOGIN_COUNTER = prepared(
  'login_lockout_counter',
  (queries, { emailHash, sources }: { readonly emailHash: string; readonly sources: readonly string[] }) =>
    queries
      .with('known', (from) =>
        from
          .selectFrom('login_sources')
          .select('sourceHash')
          .where('emailHash', '=', emailHash)
          .where('sourceHash', '=', sql<string>`any(${sources}::text[])`)
          .where(
            'lastLoginAt',
            '>',
            sql<Date>`clock_timestamp() - make_interval(days => ${sql.lit(KNOWN_SOURCE_DAYS)})`,
          )
          .orderBy(sql`array_position(${sources}::text[], source_hash)`)
          .limit(sql.lit(1)),
      )
      .with('counter', (from) =>
        from.selectNoFrom((row) => [
          sql<string>`coalesce((select ${emailHash}::text || '.' || source_hash from known), ${emailHash}::text)`.as(
            'key',
          ),
          row.selectFrom('known').select('sourceHash').as('source'),
        ]),
      )
      .selectFrom('counter')
      .leftJoin('login_lockouts', (join) => join.onRef('emailHash', '=', 'counter.key').on('lockedUntil', '>', CLOCK))
      .select(['counter.key', 'counter.source', SECONDS_LEFT.as('seconds')]),
);

export const LOGIN_LOCK = prepared('login_lockout_locked', (queries, { key }: { readonly key: string }) =>
  queries
    .selectFrom('login_lockouts')
    .select(SECONDS_LEFT.as('seconds'))
    .where('emailHash', '=', key)
    .where('lockedUntil', '>', CLOCK),
);

const LIVE_LEASES = sql<Date[]>`
  array(select lease from unnest(login_lockouts.in_flight) as lease where lease > clock_timestamp())`;
const NEW_LEASE = sql<Date>`(clock_timestamp() + make_interval(secs => ${sql.lit(LEASE_SECONDS)}))`;
const EFFECTIVE_FAILED = sql<number>`
  case when login_lockouts.locked_until <= clock_timestamp() then 0 else login_lockouts.failed end`;

/**
 * Reserves a place for one try and returns its lease. It returns no row when the counter is locked, and while so many
 * tries are in progress that they would lock it if all of them failed.
 */
export const RESERVE_TRY = prepared('login_lockout_reserve', (queries, { key }: { readonly key: string }) =>
  queries
    .insertInto('login_lockouts')
    .values({ emailHash: key, inFlight: sql<Date[]>`array[${NEW_LEASE}]` })
    .onConflict((conflict) =>
      conflict
        .column('emailHash')
        .doUpdateSet({
          failed: EFFECTIVE_FAILED,
          lockedUntil: sql<null>`null`,
          inFlight: sql<Date[]>`${LIVE_LEASES} || ${NEW_LEASE}`,
          updatedAt: CLOCK,
        })
        .where(sql<boolean>`(login_lockouts.locked_until is null or login_lockouts.locked_until <= clock_timestamp())`)
        .where(
          sql<boolean>`${EFFECTIVE_FAILED} + cardinality(${LIVE_LEASES}) < ${sql.lit(WRONG_PASSWORDS_UNTIL_LOCK)}`,
        ),
    )
    .returning(sql<string>`(in_flight[cardinality(in_flight)])::text`.as('lease')),
);

/** A reserved try. The lease is text, because a `Date` would lose its microseconds. */
export interface ReservedTry {
  readonly key: string;
  readonly lease: string;
}

/** One lease is taken away by its position, because two leases may be of the same moment. */
const leasesWithout = (lease: string) => sql<Date[]>`
  case when ${lease}::timestamptz = any (in_flight) then
    in_flight[:array_position(in_flight, ${lease}::timestamptz) - 1]
      || in_flight[array_position(in_flight, ${lease}::timestamptz) + 1:]
  else in_flight end`;

/** `locked` is true for the failure that locks the counter. */
export const countFailure = (tx: Tx, { key, lease }: ReservedTry) =>
  queriesIn(tx)
    .updateTable('login_lockouts')
    .set({
      inFlight: leasesWithout(lease),
      failed: sql<number>`failed + 1`,
      lockedUntil: sql<Date | null>`case when failed + 1 >= ${sql.lit(WRONG_PASSWORDS_UNTIL_LOCK)}
        then coalesce(locked_until, clock_timestamp() + make_interval(secs => ${sql.lit(LOCK_MINUTES * 60)})) end`,
      updatedAt: CLOCK,
    })
    .where('emailHash', '=', key)
    .returning(sql<boolean>`failed = ${sql.lit(WRONG_PASSWORDS_UNTIL_LOCK)}`.as('locked'))
    .executeTakeFirst();

export const CLEAR_FAILURES = prepared('login_lockout_succeeded', (queries, { key, lease }: ReservedTry) =>
  queries
    .updateTable('login_lockouts')
    .set({ inFlight: leasesWithout(lease), failed: sql.lit(0), lockedUntil: sql<null>`null`, updatedAt: CLOCK })
    .where('emailHash', '=', key),
);

export const RELEASE_TRY = prepared('login_lockout_undecided', (queries, { key, lease }: ReservedTry) =>
  queries
    .updateTable('login_lockouts')
    .set({ inFlight: leasesWithout(lease) })
    .where('emailHash', '=', key),
);

/** Ends the locks of an e-mail and of all its sources. */
export const endLocks = (tx: Tx, emailHash: string) =>
  queriesIn(tx)
    .updateTable('login_lockouts')
    .set({ failed: 0, lockedUntil: null, updatedAt: CLOCK })
    .where('emailHash', '=', (from) => {
      const keysOfSources = from
        .selectFrom('login_sources')
        .select(sql<string>`${emailHash}::text || '.' || source_hash`.as('key'))
        .where('emailHash', '=', emailHash);
      return sql<string>`any(array${keysOfSources} || ${emailHash}::text)`;
    })
    .execute();
