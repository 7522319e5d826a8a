import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../domain/errors.ts';

export interface RateLimitOptions {
  /** The prefix of the keys. Each name counts separately. */
  readonly name: string;
  readonly points: number;
  readonly durationSeconds: number;
}

/**
 * Creates a limit that counts for all instances together. It throws `rate_limited` when `key` has used up its points.
 */
export function createRateLimit(pool: Pool, { name, points, durationSeconds }: RateLimitOptions) {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    // Expired counters are purged with everything else that expires.
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points,
    duration: durationSeconds,
  });
  return async (key: string): Promise<void> => {
    try {
      await limiter.consume(key);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new AppError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000)) });
    }
  };
}

export type TakeFromSharedRate = ReturnType<typeof createRateLimit>;
