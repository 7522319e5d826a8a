import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { runInTransaction } from '../db/statement.ts';
import { AppError } from '../domain/errors.ts';
import type { ServiceDeps } from './deps.ts';
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

/** A session without a refresh token: it ends with its one access token. */
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

/** Of a session whose `expires_at` is at least as late as the refresh token's. */
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

// In one order, so that two that end the same sessions wait for each other instead of deadlocking.
const END_SESSIONS = `
  update sessions set ended_at = now()
  where id in (select id from sessions where client_id = $1 and ended_at is null order by id for update)`;

const END_OTHERS = `
  update sessions set ended_at = now()
  where id in (
    select id from sessions where client_id = $1 and id is distinct from $2 and ended_at is null order by id for update)`;

/** All of a client but one. */
export async function endOtherSessions(em: EntityManager, clientId: string, kept: string | undefined): Promise<void> {
  await runInTransaction(em, END_OTHERS, [clientId, kept ?? null]);
}

const OPEN = 'select id from sessions where id = $1 and ended_at is null';

/**
 * For what outlives the session: whoever ends all sessions meanwhile must not find that one of them has left something
 * behind. The caller holds the client's row. Throws `token_invalid`.
 */
export async function requireOpenSession(em: EntityManager, sessionId: string | undefined): Promise<void> {
  // An identity provider's token has no session here.
  if (sessionId === undefined) return;
  if ((await runInTransaction(em, OPEN, [sessionId])).length === 0) throw new AppError('token_invalid');
}

/** All of a client, access tokens included, on every instance from the commit on. */
export async function endSessions(em: EntityManager, clientId: string): Promise<void> {
  await runInTransaction(em, END_SESSIONS, [clientId]);
}
