import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { AppError } from '../../../domain/errors.ts';

/** A provider's clock may be ahead of ours by this much. */
const SKEW_SECONDS = 60;
/** Providers let ID tokens live for minutes or hours; one that claims to live for longer is not believed. */
const OLDEST_SECONDS = 24 * 60 * 60;

/**
 * `typ` of the header and the payload and `token_use` say what kind of token it is. Providers sign access, refresh and
 * logout tokens with the same keys as ID tokens, so whatever names another kind is refused: `at+jwt` (RFC 9068),
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
  // Every logout token and security event has it, and no ID token.
  claims['events'] === undefined;

/** OpenID Connect Core 3.1.3.7, 3 to 5: a token for several audiences must say that it was made for us. */
const isForUs = (claims: JWTPayload, audience: string): boolean => {
  const { azp, aud } = claims;
  if (azp !== undefined) return azp === audience;
  return !Array.isArray(aud) || aud.length === 1;
};

/** What the library does not look at; signature, issuer, audience and expiry are right already. */
export function checkIdToken(header: JWTHeaderParameters, claims: JWTPayload, audience: string): void {
  if (!isIdToken(header, claims) || !isForUs(claims, audience)) throw new AppError('token_invalid');
  const age = Date.now() / 1_000 - Number(claims.iat);
  // Not a number is neither young nor old enough.
  if (!(age >= -SKEW_SECONDS)) throw new AppError('token_invalid');
  if (age > OLDEST_SECONDS) throw new AppError('token_expired');
}
