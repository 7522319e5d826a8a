import { randomUUID } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { IssuedToken } from '../ports/access-tokens.ts';
import { CONSOLE_SESSION, type ConsoleSession, insertConsoleSession } from '../queries/console-sessions.ts';
import type { MemberSummary } from '../queries/members.ts';
import type { NewSession } from '../queries/sessions.ts';
import { consoleLifetime } from '../rules/token-lifetimes.ts';
import type { ClientSummary } from './account.ts';
import type { AccountDeps } from './deps.ts';
import { hashToken, newOpaqueToken } from './opaque-token.ts';

/** What each answer of the console's session tells the page. */
export interface ConsoleToken extends IssuedToken {
  readonly client: ClientSummary;
  readonly member: MemberSummary;
}

export interface ConsoleCookie {
  /** The value of the cookie, of which only the hash is stored. */
  readonly cookie: string;
  /** How long the browser keeps the cookie; null: until the browser is closed. */
  readonly keptSeconds: number | null;
}

/** Opens a session of the console in the caller's transaction. */
export async function openConsoleSession(
  tx: Tx,
  { accessTokens }: Pick<AccountDeps, 'accessTokens'>,
  {
    clientId,
    memberId,
    from,
    remember,
    factorProved = false,
  }: NewSession & {
    readonly remember: boolean;
    /** Whether an identity provider proved more than a password. */
    readonly factorProved?: boolean;
  },
): Promise<IssuedToken & ConsoleCookie> {
  const cookie = newOpaqueToken();
  const sessionId = randomUUID();
  const lifetime = consoleLifetime(remember);
  const cookieHash = hashToken(cookie);
  await insertConsoleSession(tx, { id: sessionId, clientId, memberId, from, cookieHash, factorProved, ...lifetime });
  const issued = accessTokens.issue({ clientId, sessionId }, lifetime.idleSeconds);
  return { ...issued, cookie, keptSeconds: remember ? lifetime.longestSeconds : null };
}

export async function findConsoleSession(
  { db }: Pick<AccountDeps, 'db'>,
  cookie: string | null,
): Promise<ConsoleSession | undefined> {
  if (cookie === null) return undefined;
  const [found] = await db.readPrepared({ auth: true }, CONSOLE_SESSION, { cookieHash: hashToken(cookie) });
  return found;
}

export async function requireConsoleSession(
  deps: Pick<AccountDeps, 'db'>,
  cookie: string | null,
): Promise<ConsoleSession> {
  const found = await findConsoleSession(deps, cookie);
  if (found === undefined) throw new AppError('unauthenticated');
  return found;
}
