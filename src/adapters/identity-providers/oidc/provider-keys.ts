import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { AppError } from '../../../domain/errors.ts';

const FETCH_TIMEOUT_MS = 5_000;
/** Keys that went out of use at the provider are forgotten here after this long. */
const KEYS_LIVE_MS = 600_000;
/** Short, so that a provider that comes back is noticed; long enough not to hammer one that is down. */
const RETRY_FAILED_MS = 2_000;

export interface ProviderKeysOptions {
  readonly issuer: string;
  /** An unknown key id makes the keys be fetched again, at most this often. */
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

/** Discovery comes with each fetch of keys, so that a provider may move them. */
async function fetchKeys(issuer: string, signal: AbortSignal): Promise<Response> {
  const found = await fetchJson(`${issuer.replace(/\/$/, '')}${DISCOVERY}`, signal);
  if (found['issuer'] !== issuer) throw new Error('the identity provider names another issuer');
  const address = URL.parse(String(found['jwks_uri']));
  if (address === null || !isSafe(address)) throw new Error('the identity provider names no safe address of its keys');
  return Response.json(await fetchJson(address.href, signal));
}

/** The keys of one provider: kept, fetched again when one is unknown, and `unavailable` when they cannot be had. */
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
      // What the token asks for does not exist, or it asks for too little: its fault and not the provider's.
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
        throw new AppError('token_invalid', { cause: error });
      if (error instanceof errors.JOSENotSupported) throw new AppError('token_invalid', { cause: error });
      throw new AppError('unavailable', { detail: 'The identity provider cannot be reached.', cause: error });
    }
  };
}
