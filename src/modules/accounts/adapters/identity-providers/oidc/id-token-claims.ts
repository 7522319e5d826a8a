import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { AppError } from '../../../../../kernel/errors.ts';

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
export function checkIdToken(header: JWTHeaderParameters, claims: JWTPayload, audience: string): void {
  if (!isIdToken(header, claims) || !isForUs(claims, audience)) throw new AppError('token_invalid');
  const age = Date.now() / 1_000 - Number(claims.iat);
  // The negation also refuses an age that is not a number.
  if (!(age >= -SKEW_SECONDS)) throw new AppError('token_invalid');
  if (age > OLDEST_SECONDS) throw new AppError('token_expired');
}
