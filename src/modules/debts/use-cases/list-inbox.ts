import { type Page, pageOf, readCursor, writeCursor } from '../../../platform/shared/cursor.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import type { SharedDeps } from '../../deps.ts';
import { INBOX_COUNTS, type InboxRow, inboxListWith } from '../queries/inbox-lists.ts';
import { INBOX_REASONS, type InboxReason, type InboxState } from '../rules/inbox-reasons.ts';
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
  /** Until when the client can act; only what has a term has one. */
  readonly dueAt?: string;
  readonly sandbox: boolean;
}

export type InboxCounts = Record<InboxReason | 'open' | 'waiting', number>;

export interface Inbox extends Page<InboxEntry> {
  /** The items of each reason in the state that was asked for, and all that are open and that wait for the debtor. */
  readonly counts: InboxCounts;
}

export interface ListInbox {
  readonly clientId: string;
  readonly reason?: InboxReason | undefined;
  readonly state: InboxState;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

interface Position {
  /** 0 for a dispute and 1 for any other item, which comes after all disputes. */
  readonly others: 0 | 1;
  readonly since: number;
  readonly id: string;
}

const BEFORE_ALL: Position = { others: 0, since: 0, id: '00000000-0000-0000-0000-000000000000' };
/** The latest moment of a JavaScript date. */
const LATEST = 8.64e15;

const position = ([others, since, id]: readonly unknown[]): Position | null =>
  (others === 0 || others === 1) && Number.isInteger(since) && Math.abs(since as number) <= LATEST && isUuid(id)
    ? { others, since: since as number, id }
    : null;

const entryOf = (row: InboxRow): InboxEntry => ({
  debt: debtView(row),
  reason: row.reason,
  since: row.since.toISOString(),
  lastMessage: lastMessageOf(row),
  snoozedUntil: row.snoozedUntil?.toISOString() ?? null,
  ...(row.dueAt === null ? {} : { dueAt: row.dueAt.toISOString() }),
  sandbox: row.sandbox,
});

function lastMessageOf({ messageAt, messageChannel, messageText, messageIntent }: InboxRow): LastMessage | null {
  if (messageAt === null || messageChannel === null || messageText === null) return null;
  return { at: messageAt.toISOString(), channel: messageChannel, text: messageText, intent: messageIntent };
}

const cursorAfter = ({ reason, since, itemId }: InboxRow): string =>
  writeCursor(reason === 'disputed' ? 0 : 1, since.getTime(), itemId);

/**
 * Lists the debts that wait for the client's staff, are snoozed, or wait for the debtor since the staff have answered:
 * disputes first, then the longest wait.
 */
export const listInbox =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async ({ clientId, reason, state, limit, cursor }: ListInbox): Promise<Inbox> => {
    const after = readCursor(cursor, position) ?? BEFORE_ALL;
    const place = { afterOthers: after.others === 1, afterSince: new Date(after.since), afterId: after.id };
    const page = { clientId, reason, ...place, limit: limit + 1 };
    const [rows, counted] = await Promise.all([
      db.readPrepared({ clientId }, inboxListWith(state, reason), page),
      db.readPrepared({ clientId }, INBOX_COUNTS, { clientId }),
    ]);
    const zeros = [...INBOX_REASONS, 'open', 'waiting'].map((each) => [each, 0]);
    const counts = Object.fromEntries(zeros) as InboxCounts;
    for (const { reason: each, state: stateOf, items } of counted) {
      if (stateOf === state) counts[each] = items;
      if (stateOf !== 'snoozed') counts[stateOf] += items;
    }
    return { ...pageOf(rows, limit, entryOf, cursorAfter), counts };
  };
