import { errors, type JWTPayload, jwtVerify } from 'jose';
import { AppError } from '../../../../../kernel/errors.ts';
import type { IdentityProviders, ProvenIdentity } from '../../../ports/identity-providers.ts';
import { checkIdToken } from './id-token-claims.ts';
import { createProviderKeys } from './provider-keys.ts';

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
