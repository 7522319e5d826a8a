import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTHeaderParameters,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { AppError } from '../../../../../kernel/errors.ts';
import type { IdentityProviders, ProvenIdentity } from '../../../ports/identity-providers.ts';
import { provesFactor } from '../../../rules/second-factor.ts';

const FETCH_TIMEOUT_MS = 5_000;
/** A key that the provider has withdrawn is accepted for at most this long. */
const KEYS_LIVE_MS = 600_000;
/** Short, so that a recovered provider is used soon; long enough not to overload a provider that is down. */
const RETRY_FAILED_MS = 2_000;

interface ProviderKeysOptions {
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
function createProviderKeys({ issuer, refetchMs }: ProviderKeysOptions): JWTVerifyGetKey {
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

/** A provider's clock may be ahead of this machine's clock by this much. */
const SKEW_SECONDS = 60;
/** Providers issue ID tokens for minutes or hours, so an older token counts as expired whatever its `exp` says. */
const OLDEST_SECONDS = 24 * 60 * 60;

/**
 * `typ` of the header and the payload and `token_use` name the kind of a token. Providers sign access, refresh and
 * logout tokens with the same keys as ID tokens, so a token that names another kind is refused: `at+jwt` (RFC 9068),
 * `Bearer`, `Refresh` and `Offline` (Keycloak), `access` (Cognito), `logout+jwt`.
 */
const HEADER_TYPES = new Set(['jwt']);
const PAYLOAD_TYPES = new Set(['id', 'jwt']);
const USES = new Set(['id']);

const isOneOf = (names: ReadonlySet<string>, value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && names.has(value.toLowerCase()));

const isIdToken = (header: JWTHeaderParameters, claims: JWTPayload): boolean =>
  isOneOf(HEADER_TYPES, header.typ) &&
  isOneOf(PAYLOAD_TYPES, claims['typ']) &&
  isOneOf(USES, claims['token_use']) &&
  // Every logout token and security event token has this claim, and no ID token has it.
  claims['events'] === undefined;

/** OpenID Connect Core 3.1.3.7, 3 to 5: a token for several audiences must name this service in `azp`. */
const isForUs = (claims: JWTPayload, audience: string): boolean => {
  const { azp, aud } = claims;
  if (azp !== undefined) return azp === audience;
  return !Array.isArray(aud) || aud.length === 1;
};

/** Checks what the library does not check; it has verified signature, issuer, audience and expiry before. */
function checkIdToken(header: JWTHeaderParameters, claims: JWTPayload, audience: string): void {
  if (!isIdToken(header, claims) || !isForUs(claims, audience)) throw new AppError('token_invalid');
  const age = Date.now() / 1_000 - Number(claims.iat);
  // The negation also refuses an age that is not a number.
  if (!(age >= -SKEW_SECONDS)) throw new AppError('token_invalid');
  if (age > OLDEST_SECONDS) throw new AppError('token_expired');
}

/** Only asymmetric algorithms: with a shared-secret algorithm the provider's public key would be the secret. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const REFETCH_MS = 30_000;

export interface OidcProvider {
  readonly issuer: string;
  readonly audience: string;
}

export interface OidcOptions {
  readonly providers: readonly OidcProvider[];
  readonly refetchMs?: number;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

function identityOf(issuer: string, claims: JWTPayload): ProvenIdentity {
  const subject = textOf(claims.sub);
  // PostgreSQL cannot store U+0000, and OpenID Connect requires ASCII here.
  if (subject === null || subject.length > 255 || /\p{Cc}/u.test(subject)) throw new AppError('token_invalid');
  return {
    issuer,
    subject,
    email: textOf(claims['email']),
    emailVerified: claims['email_verified'] === true,
    name: textOf(claims['name']),
    provesFactor: provesFactor(claims['amr']),
    askedSecondsAgo: typeof claims['auth_time'] === 'number' ? Date.now() / 1_000 - claims['auth_time'] : null,
  };
}

/**
 * Verifies ID tokens of OpenID Connect providers. The keys are fetched when the first token arrives and not at start,
 * because a provider may be down then.
 */
export function createOidcProviders({ providers, refetchMs = REFETCH_MS }: OidcOptions): IdentityProviders {
  const known = new Map(
    providers.map(({ issuer, audience }) => [issuer, { audience, keys: createProviderKeys({ issuer, refetchMs }) }]),
  );
  return {
    knows: (issuer) => known.has(issuer),
    async verify(issuer, idToken, given) {
      const provider = known.get(issuer);
      if (provider === undefined) throw new AppError('token_invalid');
      const audience = given ?? provider.audience;
      try {
        const { payload, protectedHeader } = await jwtVerify(idToken, provider.keys, {
          issuer,
          audience,
          algorithms: ALGORITHMS,
          requiredClaims: ['sub', 'exp', 'iat'],
        });
        checkIdToken(protectedHeader, payload, audience);
        return identityOf(issuer, payload);
      } catch (error) {
        if (error instanceof AppError) throw error;
        if (error instanceof errors.JWTExpired) throw new AppError('token_expired');
        throw new AppError('token_invalid', { cause: error });
      }
    },
  };
}
