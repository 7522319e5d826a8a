import { byMember } from '../../accounts/rules/author.ts';
import type { SharedDeps } from '../../deps.ts';
import { EVENTS_OF_DEBT, entryOf, type StoredEntry } from '../queries/debt-events.ts';
import { type ShownEntry, STAFF_KINDS } from '../rules/shown-entry.ts';

/** The moments of steps that all debts of a campaign take at once. No entries are stored for them. */
export interface BulkSteps {
  readonly createdAt: Date;
  readonly importedBy: string | null;
  readonly importerName: string | null;
  readonly launchedAt: Date | null;
  readonly scoredAt: Date | null;
  readonly score: number | null;
  /** The status that the first stored change of status left; null while there is none. */
  readonly firstLeft: string | null;
}

/** The steps in the order of their moments. A debt that left IMPORTED before the launch was not queued. */
function bulkEntries({ createdAt, launchedAt, scoredAt, score, firstLeft, ...of }: BulkSteps): ShownEntry[] {
  const by = byMember(of.importedBy, of.importerName);
  const entries: ShownEntry[] = [{ at: createdAt.toISOString(), kind: 'imported', ...by }];
  if (launchedAt !== null && firstLeft !== 'IMPORTED') {
    // A debt that came into a running campaign is queued when it is imported.
    const queuedAt = new Date(Math.max(launchedAt.getTime(), createdAt.getTime()));
    entries.push({ at: queuedAt.toISOString(), kind: 'status_changed', from: 'IMPORTED', to: 'QUEUED' });
  }
  if (scoredAt !== null) entries.push({ at: scoredAt.toISOString(), kind: 'scored', score });
  return inChronologicalOrder(entries);
}

/** Entries of one moment stay in their order. */
const inChronologicalOrder = (entries: readonly ShownEntry[]): ShownEntry[] =>
  entries.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));

/** Where a reader of a timeline stands: what newer pages have shown. */
interface Position {
  /** Entries before this one are left; null when none was shown. */
  readonly before: number | null;
  /** So many of the steps were shown, the latest ones first. */
  readonly steps: number;
}

const FROM_THE_END: Position = { before: null, steps: 0 };

export interface TimelinePage {
  /** The newest entry first. */
  readonly items: ShownEntry[];
  readonly nextCursor: string | null;
}

/** `events` go back from the position, one more than `limit` when there are more. */
export function pageOfTimeline(
  steps: BulkSteps,
  events: readonly { readonly seq: number; readonly entry: ShownEntry }[],
  { from = FROM_THE_END, limit }: { readonly from?: Position; readonly limit: number },
): { readonly items: ShownEntry[]; readonly next: Position | null } {
  const left = bulkEntries(steps);
  left.splice(left.length - from.steps);
  const items: ShownEntry[] = [];
  let taken = 0;
  while (items.length < limit) {
    const event = events[taken]?.entry;
    const step = left.at(-1);
    if (event === undefined && step === undefined) break;
    // The steps of all debts come before events of the same moment.
    if (event !== undefined && (step === undefined || event.at >= step.at)) {
      items.push(event);
      taken += 1;
    } else if (step !== undefined) {
      items.push(step);
      left.pop();
    }
  }
  const shown = bulkEntries(steps).length - left.length;
  const isLast = taken === events.length && left.length === 0;
  const before = taken === 0 ? from.before : events[taken - 1]!.seq;
  // Some events were booked for an earlier moment than the one written before them.
  return {
    items: inChronologicalOrder(items.toReversed()).toReversed(),
    next: isLast ? null : { before, steps: shown },
  };
}

const IS_OF_STAFF: ReadonlySet<string> = new Set(STAFF_KINDS);

/** Returns an entry with the member who acted. */
function authoredEntry(row: StoredEntry): ShownEntry {
  const entry = shownEntry(row);
  if (!IS_OF_STAFF.has(entry.kind)) return entry;
  return { ...entry, ...byMember(row.memberId, row.memberName) } as ShownEntry;
}

/** Returns an entry with what stands beside the timeline. The text of an erased debtor is empty. */
function shownEntry(row: StoredEntry): ShownEntry {
  const entry = entryOf(row);
  const at = row.at.toISOString();
  switch (entry.kind) {
    case 'message_received':
      return {
        at,
        kind: entry.kind,
        channel: row.channel ?? entry.channel,
        text: row.text,
        intent: row.intent,
        ...(row.cutFrom === null ? {} : { cutFrom: row.cutFrom }),
        ...(row.attachments === null ? {} : { attachments: row.attachments }),
      };
    case 'message_sent':
      return {
        at,
        ...entry,
        channel: row.channel ?? entry.channel,
        purpose: row.purpose ?? entry.purpose,
        text: row.text,
        ...(row.staff === true ? { author: 'staff' } : {}),
        // A message that was booked and never confirmed may or may not have been sent.
        delivery: row.delivery === 'booked' ? 'unknown' : row.delivery,
      };
    case 'note':
      return { at, ...entry, text: row.noteText ?? '' };
    case 'instalment_paid': {
      const { ended: _, ...shown } = entry;
      return { at, ...shown };
    }
    case 'status_changed': {
      const { ended: _, ...shown } = entry;
      return { at, ...shown, ...(row.noteText === null || row.noteText === '' ? {} : { reason: row.noteText }) };
    }
    case 'payment_approved':
    case 'payment_duplicate':
    case 'payment_changed':
      return { at, ...entry, ...(row.note === null ? {} : { note: row.note }) };
    default:
      return { at, ...entry };
  }
}

const readPosition = ([before, steps]: readonly unknown[]): Position | null =>
  (before === null || Number.isSafeInteger(before)) && Number.isSafeInteger(steps) && 0 <= Number(steps)
    ? { before: before as number | null, steps: Number(steps) }
    : null;

/** Returns a page of a debt's timeline, which goes back from the cursor, or else from the newest entry. */
export async function readTimelinePage(
  { db, cursors }: Pick<SharedDeps, 'db' | 'cursors'>,
  { clientId, debtId, steps }: { readonly clientId: string; readonly debtId: string; readonly steps: BulkSteps },
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<TimelinePage> {
  const from = cursors.read('timeline', clientId, cursor, readPosition) ?? FROM_THE_END;
  const rows = await db.readPrepared({ clientId }, EVENTS_OF_DEBT, {
    debtId,
    before: from.before ?? Number.MAX_SAFE_INTEGER,
    limit: limit + 1,
  });
  const { items, next } = pageOfTimeline(
    steps,
    rows.map((row) => ({ seq: row.seq, entry: authoredEntry(row) })),
    { from, limit },
  );
  return { items, nextCursor: next === null ? null : cursors.write('timeline', clientId, next.before, next.steps) };
}
