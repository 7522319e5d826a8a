import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { runInTransaction } from '../../db/statement.ts';
import { AppError } from '../../domain/errors.ts';
import type { ServiceDeps } from '../deps.ts';
import { hashToken, newOpaqueToken } from './opaque-token.ts';

export const REFRESH_TOKEN_SECONDS = 30 * 24 * 60 * 60;

export interface TokenPair {
  readonly token: string;
  readonly refreshToken: string;
}

const INSERT_SESSION =
  'insert into sessions (id, client_id, expires_at) values ($1, $2, now() + make_interval(secs => $3))';
const INSERT_REFRESH_TOKEN = `
  insert into refresh_tokens (session_id, client_id, token_hash, expires_at)
  values ($1, $2, $3, now() + make_interval(secs => $4))`;

/** Opens a session without a refresh token, which ends with its only access token. */
export async function openShortSession(
  em: EntityManager,
  { accessTokens }: Pick<ServiceDeps, 'accessTokens'>,
  clientId: string,
): Promise<string> {
  const sessionId = randomUUID();
  await runInTransaction(em, INSERT_SESSION, [sessionId, clientId, Math.ceil(accessTokens.lifetimeMs / 1_000) + 1]);
  return accessTokens.issue({ clientId, sessionId });
}

export async function openSession(
  em: EntityManager,
  deps: Pick<ServiceDeps, 'accessTokens'>,
  clientId: string,
): Promise<TokenPair> {
  const sessionId = randomUUID();
  await runInTransaction(em, INSERT_SESSION, [sessionId, clientId, REFRESH_TOKEN_SECONDS]);
  return issuePair(em, deps, { clientId, sessionId });
}

/** Issues a token pair. The `expires_at` of the session must not be earlier than that of the refresh token. */
export async function issuePair(
  em: EntityManager,
  { accessTokens }: Pick<ServiceDeps, 'accessTokens'>,
  { clientId, sessionId }: { readonly clientId: string; readonly sessionId: string },
): Promise<TokenPair> {
  const refreshToken = newOpaqueToken();
  const params = [sessionId, clientId, hashToken(refreshToken), REFRESH_TOKEN_SECONDS];
  await runInTransaction(em, INSERT_REFRESH_TOKEN, params);
  return { token: accessTokens.issue({ clientId, sessionId }), refreshToken };
}

// The sessions are locked in one order, so that two transactions that end the same ones do not deadlock.
const END_SESSIONS = `
  update sessions set ended_at = now()
  where id in (select id from sessions where client_id = $1 and ended_at is null order by id for update)`;

const END_OTHERS = `
  update sessions set ended_at = now()
  where id in (
    select id from sessions where client_id = $1 and id is distinct from $2 and ended_at is null order by id for update)`;

/** Ends all sessions of a client except one. */
export async function endOtherSessions(em: EntityManager, clientId: string, kept: string | undefined): Promise<void> {
  await runInTransaction(em, END_OTHERS, [clientId, kept ?? null]);
}

const OPEN = 'select id from sessions where id = $1 and ended_at is null';

/**
 * Throws `token_invalid` when the session has ended. A change that outlives the session, such as a new API key, checks
 * this under the lock of the client's row, so that a session which ends meanwhile leaves nothing behind.
 */
export async function requireOpenSession(em: EntityManager, sessionId: string | undefined): Promise<void> {
  // An identity provider's token has no session here.
  if (sessionId === undefined) return;
  if ((await runInTransaction(em, OPEN, [sessionId])).length === 0) throw new AppError('token_invalid');
}

/** Ends all sessions of a client. Their access tokens stop working on every instance from the commit on. */
export async function endSessions(em: EntityManager, clientId: string): Promise<void> {
  await runInTransaction(em, END_SESSIONS, [clientId]);
}
