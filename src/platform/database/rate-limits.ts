import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../../kernel/errors.ts';
import type { Database } from './database.ts';

export interface RateLimitOptions {
  /** The prefix of the keys. Each name counts separately. */
  readonly name: string;
  readonly points: number;
  readonly durationSeconds: number;
}

/** What the library sends to its store. */
interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

async function runStatement(db: Pick<Database, 'writePrepared'>, { name, text, values }: Statement) {
  const query = { name, text, valuesOf: () => [...values], rowsOf: (rows: readonly object[]) => [...rows] };
  const rows = await db.writePrepared({ auth: true }, query, {});
  return { rows, rowCount: rows.length };
}

/**
 * Creates a limit that counts for all instances together. It throws `rate_limited` when `key` has used up its points.
 */
export const createRateLimit = (db: Pick<Database, 'writePrepared'>, options: RateLimitOptions) =>
  consumeOf(limiterOf(db, options));

const limiterOf = (
  db: Pick<Database, 'writePrepared'>,
  { name, points, durationSeconds }: RateLimitOptions,
): RateLimiterPostgres =>
  new RateLimiterPostgres({
    storeClient: { query: (statement: Statement) => runStatement(db, statement) },
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    // Expired counters are purged with everything else that expires.
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points,
    duration: durationSeconds,
  });

const consumeOf =
  (limiter: RateLimiterPostgres) =>
  async (key: string): Promise<void> => {
    try {
      await limiter.consume(key);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new AppError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000)) });
    }
  };

/** Tries of which only the wrong ones count: each takes a place before it is looked at, and a right one gives it back. */
export interface SharedTries {
  readonly take: (key: string) => Promise<void>;
  readonly giveBack: (key: string) => Promise<void>;
}

export function createTries(db: Pick<Database, 'writePrepared'>, options: RateLimitOptions): SharedTries {
  const limiter = limiterOf(db, options);
  return {
    take: consumeOf(limiter),
    giveBack: async (key) => {
      await limiter.reward(key);
    },
  };
}

export type TakeFromSharedRate = ReturnType<typeof createRateLimit>;
