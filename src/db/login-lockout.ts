import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../domain/errors.ts';
import type { Database } from './database.ts';
import { SOURCE_DAYS } from './login-sources.ts';
import { runInTransaction } from './statement.ts';

export const ATTEMPTS = 5;
export const LOCK_SECONDS = 15 * 60;
/** Longer than any password takes to be verified, queue included; a process that dies blocks a place for this long. */
const LEASE_SECONDS = 60;
/** Of waiting for a place while other tries for the same e-mail are on their way. */
const PATIENCE_MS = 20_000;

/** What the tables and the audit log know an e-mail by. */
export const emailHash = (email: string): string => createHash('sha256').update(`email:${email}`).digest('base64url');

/**
 * Which row counts: a source that logged in lately has one of its own, and all strangers share that of the e-mail. The
 * sources come narrowest first. `seconds` is null while the row is not locked.
 */
const FIND_COUNTER = {
  name: 'login_lockout_counter',
  text: `
    with known as (
      select source_hash from login_sources
      where email_hash = $1 and source_hash = any ($2::text[])
        and last_login_at > clock_timestamp() - interval '${SOURCE_DAYS} days'
      order by array_position($2::text[], source_hash) limit 1
    ), counter as (
      select coalesce((select $1::text || '.' || source_hash from known), $1::text) as key,
        (select source_hash from known) as source
    )
    select counter.key, counter.source,
      ceil(extract(epoch from locked_until - clock_timestamp()))::int as seconds
    from counter left join login_lockouts on email_hash = counter.key and locked_until > clock_timestamp()`,
};

const LOCKED = {
  name: 'login_lockout_locked',
  text: `
    select ceil(extract(epoch from locked_until - clock_timestamp()))::int as seconds
    from login_lockouts where email_hash = $1 and locked_until > clock_timestamp()`,
};

const LIVE = 'array(select lease from unnest(held.in_flight) as lease where lease > clock_timestamp())';
const LEASE = `(clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}))`;
const EFFECTIVE_FAILED = 'case when held.locked_until <= clock_timestamp() then 0 else held.failed end';

/** A place, or no row: then it is locked, or as many are on their way as could still fail. */
const RESERVE = {
  name: 'login_lockout_reserve',
  text: `
    insert into login_lockouts as held (email_hash, in_flight) values ($1, array[${LEASE}])
    on conflict (email_hash) do update set
      failed = ${EFFECTIVE_FAILED},
      locked_until = null,
      in_flight = ${LIVE} || ${LEASE},
      updated_at = clock_timestamp()
    where (held.locked_until is null or held.locked_until <= clock_timestamp())
      and ${EFFECTIVE_FAILED} + cardinality(${LIVE}) < ${ATTEMPTS}
    returning (in_flight[cardinality(in_flight)])::text as lease`,
};

// By position: two leases may be of the same moment.
const WITHOUT_LEASE = `
  in_flight[:array_position(in_flight, $2::timestamptz) - 1]
    || in_flight[array_position(in_flight, $2::timestamptz) + 1:]`;
const IN_FLIGHT = `in_flight = case when $2::timestamptz = any (in_flight) then ${WITHOUT_LEASE} else in_flight end`;

const FAILED = `
  update login_lockouts set ${IN_FLIGHT},
    failed = failed + 1,
    locked_until = case when failed + 1 >= ${ATTEMPTS}
      then coalesce(locked_until, clock_timestamp() + make_interval(secs => ${LOCK_SECONDS})) end,
    updated_at = clock_timestamp()
  where email_hash = $1
  returning failed = ${ATTEMPTS} as locked`;

const SUCCEEDED = {
  name: 'login_lockout_succeeded',
  text: `
    update login_lockouts set ${IN_FLIGHT}, failed = 0, locked_until = null, updated_at = clock_timestamp()
    where email_hash = $1`,
};

const UNDECIDED = {
  name: 'login_lockout_undecided',
  text: `update login_lockouts set ${IN_FLIGHT} where email_hash = $1`,
};

/** Of an e-mail and of all its sources: a statement for the transaction that sets a new password by a mailed link. */
export const END_LOCKS = `
  update login_lockouts set failed = 0, locked_until = null, updated_at = clock_timestamp()
  where email_hash = any (
    array(select $1::text || '.' || source_hash from login_sources where email_hash = $1) || $1::text)`;

/** One try at a password; exactly one of its ends is called. */
export interface LoginTry {
  /** Whether this one brought the lock. In the transaction of `em`, with what is to be told about it. */
  failed(em: EntityManager): Promise<boolean>;
  succeeded(): Promise<void>;
  /** The password was not looked at. */
  undecided(): Promise<void>;
}

interface Counter {
  readonly key: string;
  readonly source: string | null;
  readonly seconds: number | null;
}

/** Wrong passwords in a row for an e-mail from a known source, or from all strangers together. */
export interface LoginCounter {
  /** Which of the given sources is known; null for a stranger. */
  readonly source: string | null;
  /** Waits while as many tries are on their way as could still fail; throws `account_locked`. */
  begin(): Promise<LoginTry>;
}

export interface LoginLockouts {
  /** `sources` are hashes, the narrowest first. Throws `account_locked`. */
  counterOf(email: string, sources: readonly string[]): Promise<LoginCounter>;
}

/** Never more than five wrong tries in a row at a counter, however many come at once, over all instances. */
export function createLoginLockouts(db: Pick<Database, 'read' | 'write'>): LoginLockouts {
  const refuse = (seconds: number): never => {
    throw new AppError('account_locked', { retryAfterSeconds: Math.max(1, seconds) });
  };

  const reserve = async (key: string): Promise<string> => {
    const deadline = performance.now() + PATIENCE_MS;
    for (let waitMs = 10; ; waitMs = Math.min(waitMs * 2, 100)) {
      const [place] = await db.write<{ lease: string }>({}, RESERVE, [key]);
      if (place !== undefined) return place.lease;
      const [locked] = await db.read<{ seconds: number }>({}, LOCKED, [key]);
      if (locked !== undefined) refuse(locked.seconds);
      if (performance.now() > deadline) throw new AppError('unavailable', { retryAfterSeconds: 1 });
      await pause(waitMs * (1 + Math.random()));
    }
  };

  return {
    async counterOf(email, sources) {
      const [found] = await db.read<Counter>({}, FIND_COUNTER, [emailHash(email), sources]);
      const { key, source, seconds } = found!;
      if (seconds !== null) refuse(seconds);
      return {
        source,
        async begin() {
          const params = [key, await reserve(key)];
          return {
            failed: async (em) => (await runInTransaction<{ locked: boolean }>(em, FAILED, params))[0]?.locked === true,
            succeeded: async () => void (await db.write({}, SUCCEEDED, params)),
            undecided: async () => void (await db.write({}, UNDECIDED, params)),
          };
        },
      };
    },
  };
}
