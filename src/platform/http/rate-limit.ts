import { AppError } from '../../kernel/errors.ts';
import { rateKey } from './client-ip.ts';
import type { HttpConfig } from './deps.ts';
import { type BucketRate, type BucketState, createTokenBuckets } from './token-buckets.ts';

/** The rates that are kept in memory; the login service keeps the rate of logins in the database. */
export type LocalRate = 'signup' | 'public';

export type TakeFromRate = (rate: LocalRate, ip: string) => Promise<void>;

export function createRateLimits(
  config: Pick<HttpConfig, 'signupRatePerMinute' | 'publicRatePerMinute'>,
): TakeFromRate {
  const perMinute = (points: number) => createKeyedRate({ points, durationSeconds: 60 });
  const limiters = {
    signup: perMinute(config.signupRatePerMinute),
    public: perMinute(config.publicRatePerMinute),
  };
  return (rate, ip) => limiters[rate](rateKey(ip));
}

/** Creates a rate for each key that is kept in memory. */
export function createKeyedRate(rate: BucketRate): (key: string) => Promise<void> {
  const buckets = createTokenBuckets(rate);
  return async (key) => refuseUngranted(buckets.take(key));
}

export function refuseUngranted({ granted, retryAfterSeconds }: BucketState): void {
  if (!granted) throw new AppError('rate_limited', { retryAfterSeconds });
}
