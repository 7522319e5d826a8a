import type { DebtEventKind } from '../../db/entities/debt-event.ts';
import { EVENTS_OF_DEBT, type EventOfDebt } from '../../db/queries/debt-events.ts';
import type { SharedDeps } from '../shared/deps.ts';

export interface TimelineEntry {
  readonly at: string;
  readonly kind: DebtEventKind | 'imported' | 'scored';
  readonly [member: string]: unknown;
}

/** The moments of steps that all debts of a campaign take at once. No events are stored for them. */
export interface BulkSteps {
  readonly createdAt: Date;
  readonly launchedAt: Date | null;
  readonly scoredAt: Date | null;
  readonly score: number | null;
}

/** A debt that left IMPORTED before the launch (paid, withdrawn, opted out) was not queued. */
function wasQueued(events: readonly TimelineEntry[]): boolean {
  return events.find(({ kind }) => kind === 'status_changed')?.['from'] !== 'IMPORTED';
}

function bulkEntries(steps: BulkSteps, events: readonly TimelineEntry[]): TimelineEntry[] {
  const { createdAt, launchedAt, scoredAt, score } = steps;
  const entries: TimelineEntry[] = [{ at: createdAt.toISOString(), kind: 'imported' }];
  if (launchedAt !== null && wasQueued(events)) {
    // A debt that came into a running campaign is queued when it is imported.
    const queuedAt = new Date(Math.max(launchedAt.getTime(), createdAt.getTime()));
    entries.push({ at: queuedAt.toISOString(), kind: 'status_changed', from: 'IMPORTED', to: 'QUEUED' });
  }
  if (scoredAt !== null) entries.push({ at: scoredAt.toISOString(), kind: 'scored', score });
  return entries;
}

/**
 * `events` are in the order in which they were written. The steps of all debts come before events of the same moment.
 */
export const inChronologicalOrder = (steps: BulkSteps, events: readonly TimelineEntry[]): TimelineEntry[] =>
  [...bulkEntries(steps, events), ...events].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));

/** The staff's own text: a note, or why the status was changed. The text of an erased debtor is empty. */
function writtenBy({ kind, noteText }: EventOfDebt): { text?: string; reason?: string } {
  if (noteText === null) return {};
  return kind === 'note' ? { text: noteText } : noteText === '' ? {} : { reason: noteText };
}

function eventEntry(row: EventOfDebt): TimelineEntry {
  const note = row.note === null ? {} : { note: row.note };
  const entry = { at: row.at.toISOString(), kind: row.kind, ...row.data, ...note, ...writtenBy(row) };
  if (row.messageId === null || row.kind === 'verdict') return entry;
  if (row.kind === 'message_received') {
    const { messageId: _, ...received } = row.data;
    return {
      at: entry.at,
      kind: row.kind,
      ...received,
      channel: row.channel,
      text: row.text,
      intent: row.intent,
      ...(row.cutFrom === null ? {} : { cutFrom: row.cutFrom }),
      ...(row.attachments === null ? {} : { attachments: row.attachments }),
    };
  }
  return {
    ...entry,
    channel: row.channel,
    purpose: row.purpose,
    text: row.text,
    ...(row.staff === true ? { author: 'staff' } : {}),
    // A message that was booked and never confirmed may or may not have been sent.
    delivery: row.delivery === 'booked' ? 'unknown' : row.delivery,
  };
}

/** Returns the timeline in chronological order. */
export const readTimeline =
  ({ db }: Pick<SharedDeps, 'db'>) =>
  async (clientId: string, debtId: string, steps: BulkSteps): Promise<TimelineEntry[]> => {
    const rows = await db.readPrepared({ clientId }, EVENTS_OF_DEBT, { debtId });
    return inChronologicalOrder(steps, rows.map(eventEntry));
  };
