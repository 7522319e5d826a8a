import { sql } from 'kysely';
import { NOW, prepared, queriesIn } from '../../../platform/database/queries/builder.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { ConsoleLifetime } from '../rules/token-lifetimes.ts';
import { type NewSession, type UsedFrom, usedFrom } from './sessions.ts';

const inSeconds = (seconds: number) => sql<Date>`quita_now() + make_interval(secs => ${seconds})`;

export const insertConsoleSession = (
  tx: Tx,
  session: NewSession &
    ConsoleLifetime & { readonly id: string; readonly cookieHash: string; readonly factorProved: boolean },
) => {
  const { longestSeconds, from, ...row } = session;
  return queriesIn(tx)
    .insertInto('sessions')
    .values({
      ...row,
      ...usedFrom(from),
      expiresAt: inSeconds(Math.min(row.idleSeconds, longestSeconds)),
      longestUntil: inSeconds(longestSeconds),
    })
    .execute();
};

/** Finds the open session of a cookie, its client and its member. */
export const CONSOLE_SESSION = prepared('console_session', (queries, params: { readonly cookieHash: string }) =>
  queries
    .selectFrom('sessions')
    .innerJoin('clients', 'clients.id', 'sessions.clientId')
    .select(['sessions.id as sessionId', 'clients.id', 'clients.name', 'clients.email', 'clients.plan'])
    .innerJoin('members', 'members.id', 'sessions.memberId')
    .select(['clients.status', 'clients.trialEndsAt'])
    .select(['members.id as memberId', 'members.name as memberName', 'members.email as memberEmail', 'members.role'])
    .where('sessions.cookieHash', '=', params.cookieHash)
    .where('sessions.endedAt', 'is', null)
    .where('members.leftAt', 'is', null)
    .where('sessions.expiresAt', '>', NOW),
);

export type ConsoleSession = ReturnType<(typeof CONSOLE_SESSION)['rowsOf']>[number];

/** Begins the idle time again. Returns undefined when the session has ended meanwhile. */
export const prolongConsoleSession = (tx: Tx, id: string, from: UsedFrom) =>
  queriesIn(tx)
    .updateTable('sessions')
    .set({
      ...usedFrom(from),
      lastUsedAt: NOW,
      expiresAt: sql<Date>`least(quita_now() + make_interval(secs => idle_seconds), longest_until)`,
    })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', NOW)
    .returning(sql<number>`extract(epoch from expires_at - quita_now())::float8`.as('secondsLeft'))
    .executeTakeFirst();

interface SessionPage {
  readonly memberId: string;
  /** The last session of the page before. */
  readonly beforeAt: Date;
  readonly beforeId: string;
  readonly limit: number;
}

/** Lists the open sessions of a member, the newest login first. */
export const OPEN_SESSIONS = prepared('list_open_sessions', (queries, page: SessionPage) =>
  queries
    .selectFrom('sessions')
    .select(['id', 'createdAt', 'lastUsedAt', 'expiresAt', 'ip', 'userAgent'])
    .select(sql<boolean>`cookie_hash is not null`.as('isConsole'))
    .where('memberId', '=', page.memberId)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', NOW)
    .where(sql<boolean>`(created_at, id) < (${page.beforeAt}, ${page.beforeId})`)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit),
);
