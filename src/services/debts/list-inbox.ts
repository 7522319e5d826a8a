import { INBOX_COUNTS, type InboxRow, type InboxState, inboxListWith } from '../../db/queries/inbox-lists.ts';
import { INBOX_REASONS, type InboxReason } from '../../domain/inbox-reasons.ts';
import { type Page, pageOf, readCursor, writeCursor } from '../shared/cursor.ts';
import type { SharedDeps } from '../shared/deps.ts';
import { isUuid } from '../shared/is-uuid.ts';
import { type DebtView, debtView } from './debt-view.ts';

/** What the debtor wrote last, which may have been about another debt of theirs with this client. */
export interface LastMessage {
  readonly at: string;
  readonly channel: string;
  readonly text: string;
  readonly intent: string | null;
}

export interface InboxEntry {
  readonly debt: DebtView;
  readonly reason: InboxReason;
  readonly since: string;
  readonly lastMessage: LastMessage | null;
  readonly snoozedUntil: string | null;
  readonly sandbox: boolean;
}

export interface Inbox extends Page<InboxEntry> {
  readonly counts: Record<InboxReason, number>;
}

export interface ListInbox {
  readonly clientId: string;
  readonly reason?: InboxReason | undefined;
  readonly state: InboxState;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

interface Position {
  readonly since: number;
  readonly id: string;
}

const BEFORE_ALL: Position = { since: 0, id: '00000000-0000-0000-0000-000000000000' };
/** The latest moment of a JavaScript date. */
const LATEST = 8.64e15;

const position = ([since, id]: readonly unknown[]): Position | null =>
  Number.isInteger(since) && Math.abs(since as number) <= LATEST && typeof id === 'string' && isUuid(id)
    ? { since: since as number, id }
    : null;

const entryOf = (row: InboxRow): InboxEntry => ({
  debt: debtView(row),
  reason: row.reason,
  since: row.since.toISOString(),
  lastMessage: lastMessageOf(row),
  snoozedUntil: row.snoozedUntil?.toISOString() ?? null,
  sandbox: row.sandbox,
});

function lastMessageOf({ messageAt, messageChannel, messageText, messageIntent }: InboxRow): LastMessage | null {
  if (messageAt === null || messageChannel === null || messageText === null) return null;
  return { at: messageAt.toISOString(), channel: messageChannel, text: messageText, intent: messageIntent };
}

/** Lists the debts that wait for the client's staff, the longest wait first, and counts all that are open. */
export const listInbox =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async ({ clientId, reason, state, limit, cursor }: ListInbox): Promise<Inbox> => {
    const after = readCursor(cursor, position) ?? BEFORE_ALL;
    const page = { clientId, reason, afterSince: new Date(after.since), afterId: after.id, limit: limit + 1 };
    const [rows, counted] = await Promise.all([
      db.readPrepared({ clientId }, inboxListWith(state, reason), page),
      db.readPrepared({ clientId }, INBOX_COUNTS, { clientId }),
    ]);
    const counts = Object.fromEntries(INBOX_REASONS.map((each) => [each, 0])) as Record<InboxReason, number>;
    for (const { reason: each, items } of counted) counts[each] = items;
    return { ...pageOf(rows, limit, entryOf, (last) => writeCursor(last.since.getTime(), last.itemId)), counts };
  };
