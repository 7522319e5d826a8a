import { randomUUID } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { insertRefreshToken } from '../queries/refresh-tokens.ts';
import { findOpenSession, insertSession, type NewSession } from '../queries/sessions.ts';
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
  tx: Tx,
  { accessTokens }: Pick<AccountDeps, 'accessTokens'>,
  owner: NewSession,
): Promise<string> {
  const sessionId = randomUUID();
  await insertSession(tx, { ...owner, id: sessionId, seconds: Math.ceil(accessTokens.lifetimeMs / 1_000) + 1 });
  return accessTokens.issue({ clientId: owner.clientId, sessionId }).token;
}

export async function openSession(
  tx: Tx,
  deps: Pick<AccountDeps, 'accessTokens'>,
  owner: NewSession,
): Promise<TokenPair> {
  const sessionId = randomUUID();
  await insertSession(tx, { ...owner, id: sessionId, seconds: REFRESH_TOKEN_SECONDS });
  return issuePair(tx, deps, { clientId: owner.clientId, sessionId });
}

/** Issues a token pair. The `expires_at` of the session must not be earlier than that of the refresh token. */
export async function issuePair(
  tx: Tx,
  { accessTokens }: Pick<AccountDeps, 'accessTokens'>,
  { clientId, sessionId }: { readonly clientId: string; readonly sessionId: string },
): Promise<TokenPair> {
  const refreshToken = newOpaqueToken();
  const tokenHash = hashToken(refreshToken);
  await insertRefreshToken(tx, { sessionId, clientId, tokenHash, seconds: REFRESH_TOKEN_SECONDS });
  return { token: accessTokens.issue({ clientId, sessionId }).token, refreshToken };
}

/**
 * Throws `token_invalid` when the session has ended. A change that outlives the session, such as a new API key, checks
 * this under the lock of the client's row, so that a session which ends meanwhile leaves nothing behind.
 */
export async function requireOpenSession(tx: Tx, sessionId: string | undefined): Promise<void> {
  // An identity provider's token has no session here.
  if (sessionId === undefined) return;
  if ((await findOpenSession(tx, sessionId)) === undefined) throw new AppError('token_invalid');
}
