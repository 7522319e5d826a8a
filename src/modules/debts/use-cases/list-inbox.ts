import { createHash } from 'node:crypto';
import { LATEST_MOMENT, type Page, pageOf, readCursor, writeCursor } from '../../../platform/shared/cursor.ts';
import { isUuid } from '../../../platform/shared/is-uuid.ts';
import type { Author } from '../../accounts/rules/author.ts';
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
  /** The member who has the case. */
  readonly assignee?: Author;
  /** The other members who have the case open. */
  readonly viewing: readonly Author[];
  /** The same for all items of a person, and of nobody else. It tells nothing about the person. */
  readonly personKey: string;
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
  /** Null: the items that nobody has. */
  readonly assigneeId?: string | null | undefined;
  /** Who asks; null for an API key. */
  readonly memberId?: string | null;
  /** Keep the items of a person together, at the place of the most urgent one. */
  readonly byPerson?: boolean;
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

const position = ([others, since, id]: readonly unknown[]): Position | null =>
  (others === 0 || others === 1) && Number.isInteger(since) && Math.abs(since as number) <= LATEST_MOMENT && isUuid(id)
    ? { others, since: since as number, id }
    : null;

/** The places of an item and of the most urgent item of its person. */
interface PersonPosition {
  readonly item: Position;
  readonly first: Position;
}

function personPosition(parts: readonly unknown[]): PersonPosition | null {
  const [item, first] = [position(parts.slice(0, 3)), position(parts.slice(3))];
  return item === null || first === null ? null : { item, first };
}

/** Only with the service’s secret can it be computed from a CPF, and no two clients have the same key of a person. */
const personKeyOf =
  ({ clientId, personKeys }: { readonly clientId: string } & Pick<SharedDeps, 'personKeys'>) =>
  ({ id, erasedAt, debtorTaxId, sandbox }: InboxRow): string =>
    createHash('sha256')
      .update(`${clientId}:${sandbox}:${erasedAt === null ? personKeys.person(debtorTaxId) : id}`)
      .digest('base64url')
      .slice(0, 22);

const entryOf = (row: InboxRow, personKey: string): InboxEntry => ({
  debt: debtView(row),
  reason: row.reason,
  since: row.since.toISOString(),
  lastMessage: lastMessageOf(row),
  snoozedUntil: row.snoozedUntil?.toISOString() ?? null,
  ...(row.dueAt === null ? {} : { dueAt: row.dueAt.toISOString() }),
  sandbox: row.sandbox,
  ...(row.assigneeId === null || row.assigneeName === null
    ? {}
    : { assignee: { id: row.assigneeId, name: row.assigneeName } }),
  viewing: row.viewing,
  personKey,
});

function lastMessageOf({ messageAt, messageChannel, messageText, messageIntent }: InboxRow): LastMessage | null {
  if (messageAt === null || messageChannel === null || messageText === null) return null;
  return { at: messageAt.toISOString(), channel: messageChannel, text: messageText, intent: messageIntent };
}

const placeOf = ({ reason, since, itemId }: InboxRow) =>
  [reason === 'disputed' ? 0 : 1, since.getTime(), itemId] as const;
const firstPlaceOf = ({ firstOthers, firstSince, firstId }: InboxRow) =>
  [firstOthers ? 1 : 0, firstSince.getTime(), firstId] as const;

/**
 * Lists the debts that wait for the client's staff, are snoozed, or wait for the debtor since the staff have answered:
 * disputes first, then the longest wait.
 */
export const listInbox =
  ({ db, personKeys }: Pick<SharedDeps, 'db' | 'personKeys'>) =>
  async (input: ListInbox): Promise<Inbox> => {
    const { clientId, reason, state, assigneeId, memberId = null, byPerson = false, limit, cursor } = input;
    const { item, first } = (byPerson ? readCursor(cursor, personPosition) : withoutPerson(cursor)) ?? BEGINNING;
    const page = {
      ...{ clientId, reason, assigneeId, memberId, limit: limit + 1 },
      ...{ afterOthers: item.others === 1, afterSince: new Date(item.since), afterId: item.id },
      ...{ firstOthers: first.others === 1, firstSince: new Date(first.since), firstId: first.id },
    };
    const byAssignee = assigneeId !== undefined;
    const list = inboxListWith({ state, byReason: reason !== undefined, byAssignee, byPerson });
    const [rows, counted] = await Promise.all([
      db.readPrepared({ clientId }, list, page),
      db.readPrepared({ clientId }, INBOX_COUNTS[byAssignee ? 'ofAssignee' : 'all'], { clientId, assigneeId }),
    ]);
    const zeros = [...INBOX_REASONS, 'open', 'waiting'].map((each) => [each, 0]);
    const counts = Object.fromEntries(zeros) as InboxCounts;
    for (const { reason: each, state: stateOf, items } of counted) {
      if (stateOf === state) counts[each] = items;
      if (stateOf !== 'snoozed') counts[stateOf] += items;
    }
    const keyOf = personKeyOf({ clientId, personKeys });
    const cursorAfter = (row: InboxRow): string => writeCursor(...placeOf(row), ...(byPerson ? firstPlaceOf(row) : []));
    return { ...pageOf(rows, limit, (row) => entryOf(row, keyOf(row)), cursorAfter), counts };
  };

const BEGINNING: PersonPosition = { item: BEFORE_ALL, first: BEFORE_ALL };

function withoutPerson(cursor: string | undefined): PersonPosition | null {
  const item = readCursor(cursor, position);
  return item == null ? null : { item, first: BEFORE_ALL };
}
