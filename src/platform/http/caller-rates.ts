import { LRUCache } from 'lru-cache';
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import { rateKey } from './client-ip.ts';
import type { HttpConfig } from './deps.ts';
import { refuseUngranted } from './rate-limit.ts';
import { type BucketState, createTokenBuckets } from './token-buckets.ts';

/** The rates of a client. Each of the expensive calls has a rate of its own. */
export type ClientRate = 'calls' | 'imports' | 'regenerations' | 'exports' | 'rehearsals';

/** The rate of expensive calls is the rate of all calls divided by this: 30 of the default 600 calls a minute. */
const EXPENSIVE_DIVISOR = 20;
const SECONDS = 60;

/**
 * The refusals that count as a guess. Others do not: an expired token was valid once, an API key where a token is
 * required was not looked up, and a request without a bearer tried nothing.
 */
const FAILED_BEARER: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['token_invalid', 'identity_not_linked']);

const KNOWN_BEARERS = { ttl: 15 * 60_000, max: 20_000, updateAgeOnGet: true };

export interface CallerRates {
  /** Counts one call of the client. The headers belong on every answer, including a refusal. */
  takeCall(
    clientId: string,
    rate: ClientRate,
  ): { readonly headers: Record<string, string>; readonly state: BucketState };
  /** Runs `check`, unless the address has recently sent too many wrong bearer values. */
  checkBearer<Result>(
    from: { readonly authorization: string | undefined; readonly ip: string },
    check: () => Promise<Result>,
  ): Promise<Result>;
}

export function createCallerRates(
  config: Pick<HttpConfig, 'clientRatePerMinute' | 'publicRatePerMinute'>,
): CallerRates {
  const expensive = Math.max(1, Math.floor(config.clientRatePerMinute / EXPENSIVE_DIVISOR));
  const clients = {
    calls: clientBuckets('calls', config.clientRatePerMinute),
    imports: clientBuckets('imports', expensive),
    regenerations: clientBuckets('regenerations', expensive),
    exports: clientBuckets('exports', expensive),
    rehearsals: clientBuckets('rehearsals', expensive),
  };
  const failures = createTokenBuckets({ points: config.publicRatePerMinute, durationSeconds: SECONDS });
  const knownBearers = new LRUCache<string, true>(KNOWN_BEARERS);

  return {
    takeCall: (clientId, rate) => clients[rate](clientId),

    // Many companies may call from one address. A bearer value that was valid recently is still checked, so that wrong
    // values from the same address do not lock out a working integration.
    async checkBearer({ authorization, ip }, check) {
      if (authorization === undefined) return check();
      const known = knownBearers.get(authorization) === true;
      if (!known) refuseUngranted(failures.look(rateKey(ip)));
      try {
        const result = await check();
        if (!known) knownBearers.set(authorization, true);
        return result;
      } catch (error) {
        if (error instanceof AppError && FAILED_BEARER.has(error.code)) {
          knownBearers.delete(authorization);
          failures.charge(rateKey(ip));
        }
        throw error;
      }
    },
  };
}

/**
 * Header fields of draft-ietf-httpapi-ratelimit-headers: `r` points are left, and in `t` seconds all are available
 * again.
 */
function clientBuckets(name: ClientRate, points: number) {
  const buckets = createTokenBuckets({ points, durationSeconds: SECONDS });
  const policy = `"${name}";q=${points};w=${SECONDS}`;
  return (clientId: string) => {
    const state = buckets.take(clientId);
    const current = `"${name}";r=${state.remaining};t=${state.fullInSeconds}`;
    return { state, headers: { 'RateLimit-Policy': policy, RateLimit: current } };
  };
}
