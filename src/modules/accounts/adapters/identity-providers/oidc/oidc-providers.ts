import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose';
import { AppError } from '../../../../../kernel/errors.ts';
import type { IdentityProviders, ProvenIdentity } from '../../../ports/identity-providers.ts';
import { createProviderKeys } from './provider-keys.ts';

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
