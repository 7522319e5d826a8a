import { type Page, pageOf, readCursor, writeCursor } from '../../../platform/shared/cursor.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import { OPEN_SESSIONS } from '../queries/console-sessions.ts';
import type { AccountDeps } from './deps.ts';

export interface SessionView {
  readonly id: string;
  readonly kind: 'console' | 'api';
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  /** From where it was last used. */
  readonly ip?: string;
  readonly userAgent?: string;
  /** True for the session of the caller. */
  readonly current: boolean;
}

interface Position {
  readonly at: number;
  readonly id: string;
}

/** The latest moment that PostgreSQL and JavaScript both know well. */
const LATEST = Date.UTC(9999, 11, 31);
const AFTER_ALL: Position = { at: LATEST, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

const position = ([at, id]: readonly unknown[]): Position | null =>
  Number.isInteger(at) && (at as number) >= 0 && (at as number) <= LATEST && isUuid(id)
    ? { at: at as number, id }
    : null;

/** Lists the open sessions of a member, the newest login first. */
export const listSessions =
  ({ db }: Pick<AccountDeps, 'db'>) =>
  async (input: {
    readonly clientId: string;
    readonly memberId: string;
    readonly sessionId: string | undefined;
    readonly limit: number;
    readonly cursor?: string | undefined;
  }): Promise<Page<SessionView>> => {
    const { clientId, memberId, sessionId, limit, cursor } = input;
    const { at, id } = readCursor(cursor, position) ?? AFTER_ALL;
    const page = { memberId, beforeAt: new Date(at), beforeId: id, limit: limit + 1 };
    const rows = await db.readPrepared({ clientId }, OPEN_SESSIONS, page);
    return pageOf(
      rows,
      limit,
      (row) => ({
        id: row.id,
        kind: row.isConsole ? 'console' : 'api',
        createdAt: row.createdAt.toISOString(),
        lastUsedAt: row.lastUsedAt.toISOString(),
        expiresAt: row.expiresAt.toISOString(),
        ...(row.ip === null ? {} : { ip: row.ip }),
        ...(row.userAgent === null ? {} : { userAgent: row.userAgent }),
        current: row.id === sessionId,
      }),
      (last) => writeCursor(last.createdAt.getTime(), last.id),
    );
  };
