import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { AppError } from '../../../../../kernel/errors.ts';

const FETCH_TIMEOUT_MS = 5_000;
/** A key that the provider has withdrawn is accepted for at most this long. */
const KEYS_LIVE_MS = 600_000;
/** Short, so that a recovered provider is used soon; long enough not to overload a provider that is down. */
const RETRY_FAILED_MS = 2_000;

export interface ProviderKeysOptions {
  readonly issuer: string;
  /** An unknown key id causes the keys to be fetched again, at most once in this time. */
  readonly refetchMs: number;
}

const DISCOVERY = '/.well-known/openid-configuration';
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const isSafe = (address: URL): boolean =>
  address.protocol === 'https:' || (address.protocol === 'http:' && LOOPBACK.has(address.hostname));

async function fetchJson(url: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`the identity provider answered ${response.status}`);
  return (await response.json()) as Record<string, unknown>;
}

/** Reads the discovery document before each fetch of keys, because a provider may move its keys. */
async function fetchKeys(issuer: string, signal: AbortSignal): Promise<Response> {
  const found = await fetchJson(`${issuer.replace(/\/$/, '')}${DISCOVERY}`, signal);
  if (found['issuer'] !== issuer) throw new Error('the identity provider names another issuer');
  const address = URL.parse(String(found['jwks_uri']));
  if (address === null || !isSafe(address)) throw new Error('the identity provider names no safe address for its keys');
  return Response.json(await fetchJson(address.href, signal));
}

/**
 * Caches the keys of one provider, fetches them again for an unknown key id, and throws `unavailable` when it cannot.
 */
export function createProviderKeys({ issuer, refetchMs }: ProviderKeysOptions): JWTVerifyGetKey {
  let failedAt = Number.NEGATIVE_INFINITY;

  const keys = createRemoteJWKSet(new URL(issuer), {
    timeoutDuration: FETCH_TIMEOUT_MS,
    cooldownDuration: refetchMs,
    cacheMaxAge: KEYS_LIVE_MS,
    [customFetch]: async (_url, { signal }) => {
      const pause = keys.jwks() === undefined ? Math.min(RETRY_FAILED_MS, refetchMs) : refetchMs;
      if (performance.now() - failedAt < pause) throw new Error('the identity provider did not answer a moment ago');
      try {
        return await fetchKeys(issuer, signal);
      } catch (error) {
        failedAt = performance.now();
        throw error;
      }
    },
  });

  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      // The token names a key that does not exist, or does not name one clearly, so the token is at fault.
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
        throw new AppError('token_invalid', { cause: error });
      if (error instanceof errors.JOSENotSupported) throw new AppError('token_invalid', { cause: error });
      throw new AppError('unavailable', { detail: 'The identity provider cannot be reached.', cause: error });
    }
  };
}
