import { type Page, pageOf, readCursor, writeCursor } from '../../../platform/shared/cursor.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import { MEMBERS } from '../queries/members.ts';
import type { AccountDeps } from './deps.ts';
import { type MemberView, memberViewOf } from './member-view.ts';

interface Position {
  readonly at: number;
  readonly id: string;
}

const BEFORE_ALL: Position = { at: 0, id: '00000000-0000-0000-0000-000000000000' };
const LATEST = Date.UTC(9999, 11, 31);

const position = ([at, id]: readonly unknown[]): Position | null =>
  Number.isInteger(at) && (at as number) >= 0 && (at as number) <= LATEST && isUuid(id)
    ? { at: at as number, id }
    : null;

/** Lists the members of a client and those whom it has invited, the first owner first. */
export const listMembers =
  ({ db }: Pick<AccountDeps, 'db'>) =>
  async (input: {
    readonly clientId: string;
    readonly limit: number;
    readonly cursor?: string | undefined;
  }): Promise<Page<MemberView>> => {
    const { clientId, limit, cursor } = input;
    const { at, id } = readCursor(cursor, position) ?? BEFORE_ALL;
    const page = { clientId, afterAt: new Date(at), afterId: id, limit: limit + 1 };
    const rows = await db.readPrepared({ clientId }, MEMBERS, page);
    return pageOf(rows, limit, memberViewOf, (last) => writeCursor(last.createdAt.getTime(), last.id));
  };
