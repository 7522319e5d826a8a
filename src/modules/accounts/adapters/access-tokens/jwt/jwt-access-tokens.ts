import { createHash, createSecretKey, type KeyObject, randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { AppError } from '../../../../../kernel/errors.ts';
import { LOWER_CASE_UUID } from '../../../../../kernel/uuid.ts';
import type { AccessTokens } from '../../../ports/access-tokens.ts';
import { createVerifiedTokens } from './verified-tokens.ts';

const ISSUER = 'quita';
const AUDIENCE = 'quita-api';
const ALGORITHM = 'HS256';

export interface JwtOptions {
  /** The first secret signs; every secret verifies. */
  readonly secrets: readonly string[];
  readonly lifetimeMs: number;
}

/** Returns an id of the secret that reveals nothing about it. */
const keyIdOf = (secret: string): string =>
  createHash('sha256').update(`quita jwt key id:${secret}`).digest('base64url').slice(0, 12);

export function createJwtAccessTokens({ secrets, lifetimeMs }: JwtOptions): AccessTokens {
  const keys = secrets.map((secret) => ({ id: keyIdOf(secret), key: createSecretKey(Buffer.from(secret)) }));
  const [first] = keys;
  if (first === undefined) throw new Error('JWT_SECRET holds no secret');
  const header = (keyid: string): jwt.SignOptions => ({ algorithm: ALGORITHM, keyid });
  // All tokens of one key begin with the same characters, so a token with another beginning was not signed here.
  const byHeader = new Map(keys.map(({ id, key }) => [jwt.sign({}, key, header(id)).split('.')[0], key]));
  const verified = createVerifiedTokens<ReturnType<AccessTokens['read']>>(Date.now);
  const expiresIn = Math.max(1, Math.floor(lifetimeMs / 1_000));

  const keyOf = (token: string): KeyObject => {
    const key = byHeader.get(token.slice(0, token.indexOf('.')));
    if (key === undefined) throw new AppError('token_invalid');
    return key;
  };

  return {
    issuer: ISSUER,
    lifetimeMs,
    issue({ clientId, sessionId }, sessionSeconds = expiresIn) {
      const issuedAt = Math.floor(Date.now() / 1_000);
      const expiresAt = issuedAt + Math.min(expiresIn, Math.max(1, Math.floor(sessionSeconds)));
      const token = jwt.sign({ sid: sessionId, iat: issuedAt, exp: expiresAt }, first.key, {
        ...header(first.id),
        issuer: ISSUER,
        audience: AUDIENCE,
        subject: clientId,
        // Two tokens of one session and second must differ.
        jwtid: randomUUID(),
      });
      return { token, expiresAt: new Date(expiresAt * 1_000) };
    },
    read(token) {
      const known = verified.find(token);
      if (known !== undefined) return known;
      try {
        const options = { algorithms: [ALGORITHM], issuer: ISSUER, audience: AUDIENCE } satisfies jwt.VerifyOptions;
        const claims = jwt.verify(token, keyOf(token), options);
        if (typeof claims === 'string' || typeof claims.exp !== 'number') throw new AppError('token_invalid');
        const { sub: clientId, sid: sessionId } = claims as { sub?: unknown; sid?: unknown };
        if (
          typeof clientId === 'string' &&
          typeof sessionId === 'string' &&
          LOWER_CASE_UUID.test(clientId) &&
          LOWER_CASE_UUID.test(sessionId)
        ) {
          verified.keep(token, { claims: { clientId, sessionId }, expiresAt: claims.exp });
          return { clientId, sessionId };
        }
      } catch (error) {
        if (error instanceof jwt.TokenExpiredError) throw new AppError('token_expired');
        if (error instanceof AppError) throw error;
      }
      throw new AppError('token_invalid');
    },
  };
}
