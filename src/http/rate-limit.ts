import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../domain/errors.ts';
import { rateKey } from './client-ip.ts';
import type { HttpConfig } from './deps.ts';

/** The rates that live in this process; login's is kept in the database by its service. */
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

/** So many for one key in so long, in this process. */
export function createKeyedRate(rate: {
  readonly points: number;
  readonly durationSeconds: number;
}): (key: string) => Promise<void> {
  const limiter = new RateLimiterMemory({ points: rate.points, duration: rate.durationSeconds });
  return async (key) => {
    try {
      await limiter.consume(key);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new AppError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) });
    }
  };
}
