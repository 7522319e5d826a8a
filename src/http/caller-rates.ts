import { AppError, type ErrorCode } from '../domain/errors.ts';
import { rateKey } from './client-ip.ts';
import type { HttpConfig } from './deps.ts';
import { refuseUngranted } from './rate-limit.ts';
import { createRecentEntries } from './recent-entries.ts';
import { type BucketState, createTokenBuckets } from './token-buckets.ts';

/** What a client's calls are counted as. Imports and regenerations are heavy, and counted apart from each other and from the rest. */
export type ClientRate = 'calls' | 'imports' | 'regenerations';

/** A heavy call weighs as many others: of the default 600 calls a minute, 30. */
const HEAVY_SHARE = 20;
const SECONDS = 60;

/**
 * Refusals that are no guess: an expired token was right once, and a key where a token is required was not looked up.
 * Without a bearer nothing was tried.
 */
const FAILED_BEARER: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['token_invalid', 'identity_not_linked']);

const KNOWN_BEARERS = { ageMs: 15 * 60_000, room: 10_000 };

export interface CallerRates {
  /** Takes one call of the client; the headers are for every answer, and stand on a refusal too. */
  takeCall(
    clientId: string,
    rate: ClientRate,
  ): { readonly headers: Record<string, string>; readonly state: BucketState };
  /** Runs `check`, unless the address has sent too many failed bearers lately. */
  checkBearer<Result>(
    from: { readonly authorization: string | undefined; readonly ip: string },
    check: () => Promise<Result>,
  ): Promise<Result>;
}

export function createCallerRates(
  config: Pick<HttpConfig, 'clientRatePerMinute' | 'publicRatePerMinute'>,
): CallerRates {
  const heavy = Math.max(1, Math.floor(config.clientRatePerMinute / HEAVY_SHARE));
  const clients = {
    calls: clientBuckets('calls', config.clientRatePerMinute),
    imports: clientBuckets('imports', heavy),
    regenerations: clientBuckets('regenerations', heavy),
  };
  const failures = createTokenBuckets({ points: config.publicRatePerMinute, durationSeconds: SECONDS });
  const knownBearers = createRecentEntries<true>(KNOWN_BEARERS);

  return {
    takeCall: (clientId, rate) => clients[rate](clientId),

    // Many companies may call from one address. A bearer that was right lately is still looked up, so that whoever sends
    // wrong ones from there locks out no working integration.
    async checkBearer({ authorization, ip }, check) {
      if (authorization === undefined) return check();
      const known = knownBearers.use(authorization) !== undefined;
      if (!known) refuseUngranted(failures.look(rateKey(ip)));
      try {
        const result = await check();
        if (!known) knownBearers.keep(authorization, true);
        return result;
      } catch (error) {
        if (error instanceof AppError && FAILED_BEARER.has(error.code)) {
          knownBearers.forget(authorization);
          failures.charge(rateKey(ip));
        }
        throw error;
      }
    },
  };
}

/** Header fields of draft-ietf-httpapi-ratelimit-headers: `r` points are left, and in `t` seconds all are there again. */
function clientBuckets(name: ClientRate, points: number) {
  const buckets = createTokenBuckets({ points, durationSeconds: SECONDS });
  const policy = `"${name}";q=${points};w=${SECONDS}`;
  return (clientId: string) => {
    const state = buckets.take(clientId);
    const current = `"${name}";r=${state.remaining};t=${state.fullInSeconds}`;
    return { state, headers: { 'RateLimit-Policy': policy, RateLimit: current } };
  };
}
