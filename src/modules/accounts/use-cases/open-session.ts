import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../../../kernel/errors.ts';
import { insertRefreshToken } from '../queries/refresh-tokens.ts';
import { findOpenSession, insertSession } from '../queries/sessions.ts';
import { REFRESH_TOKEN_DAYS } from '../rules/token-lifetimes.ts';
import type { AccountDeps } from './deps.ts';
import { hashToken, newOpaqueToken } from './opaque-token.ts';

export const REFRESH_TOKEN_SECONDS = REFRESH_TOKEN_DAYS * 24 * 60 * 60;

export interface TokenPair {
  readonly token: string;
  readonly refreshToken: string;
}

/** Opens a session without a refresh token, which ends with its only access token. */
export async function openShortSession(
  em: EntityManager,
  { accessTokens }: Pick<AccountDeps, 'accessTokens'>,
  clientId: string,
): Promise<string> {
  const sessionId = randomUUID();
  await insertSession(em, { id: sessionId, clientId, seconds: Math.ceil(accessTokens.lifetimeMs / 1_000) + 1 });
  return accessTokens.issue({ clientId, sessionId }).token;
}

export async function openSession(
  em: EntityManager,
  deps: Pick<AccountDeps, 'accessTokens'>,
  clientId: string,
): Promise<TokenPair> {
  const sessionId = randomUUID();
  await insertSession(em, { id: sessionId, clientId, seconds: REFRESH_TOKEN_SECONDS });
  return issuePair(em, deps, { clientId, sessionId });
}

/** Issues a token pair. The `expires_at` of the session must not be earlier than that of the refresh token. */
export async function issuePair(
  em: EntityManager,
  { accessTokens }: Pick<AccountDeps, 'accessTokens'>,
  { clientId, sessionId }: { readonly clientId: string; readonly sessionId: string },
): Promise<TokenPair> {
  const refreshToken = newOpaqueToken();
  const tokenHash = hashToken(refreshToken);
  await insertRefreshToken(em, { sessionId, clientId, tokenHash, seconds: REFRESH_TOKEN_SECONDS });
  return { token: accessTokens.issue({ clientId, sessionId }).token, refreshToken };
}

/**
 * Throws `token_invalid` when the session has ended. A change that outlives the session, such as a new API key, checks
 * this under the lock of the client's row, so that a session which ends meanwhile leaves nothing behind.
 */
export async function requireOpenSession(em: EntityManager, sessionId: string | undefined): Promise<void> {
  // An identity provider's token has no session here.
  if (sessionId === undefined) return;
  if ((await findOpenSession(em, sessionId)) === undefined) throw new AppError('token_invalid');
}
