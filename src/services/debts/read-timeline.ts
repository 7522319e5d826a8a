import type { DebtEventKind } from '../../db/entities/debt-event.ts';
import type { MessageDelivery } from '../../db/entities/message.ts';
import type { ServiceDeps } from '../deps.ts';

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

interface EventRow {
  readonly at: Date;
  readonly kind: DebtEventKind;
  readonly data: Readonly<Record<string, unknown>>;
  readonly message_id: string | null;
  readonly channel: string;
  readonly purpose: string | null;
  readonly text: string;
  readonly delivery: MessageDelivery | null;
  readonly intent: string | null;
}

const events = {
  name: 'debt_timeline',
  text: `select e.at, e.kind, e.data, m.id as message_id, m.channel, m.purpose, m.text, m.delivery, m.intent
    from debt_events e
    left join messages m on m.debt_id = e.debt_id and m.id = (e.data ->> 'messageId')::uuid
    where e.debt_id = $1 order by e.seq`,
};

/** A debt that left IMPORTED before the launch (paid, withdrawn, opted out) was not queued. */
function wasQueued(events: readonly TimelineEntry[]): boolean {
  return events.find(({ kind }) => kind === 'status_changed')?.['from'] !== 'IMPORTED';
}

function bulkEntries(steps: BulkSteps, events: readonly TimelineEntry[]): TimelineEntry[] {
  const { createdAt, launchedAt, scoredAt, score } = steps;
  const entries: TimelineEntry[] = [{ at: createdAt.toISOString(), kind: 'imported' }];
  if (launchedAt !== null && wasQueued(events)) {
    entries.push({ at: launchedAt.toISOString(), kind: 'status_changed', from: 'IMPORTED', to: 'QUEUED' });
  }
  if (scoredAt !== null) entries.push({ at: scoredAt.toISOString(), kind: 'scored', score });
  return entries;
}

/**
 * `events` are in the order in which they were written. The steps of all debts come before events of the same moment.
 */
export const inChronologicalOrder = (steps: BulkSteps, events: readonly TimelineEntry[]): TimelineEntry[] =>
  [...bulkEntries(steps, events), ...events].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));

function eventEntry(row: EventRow): TimelineEntry {
  const { messageId: _, ...data } = row.data;
  const entry = { at: row.at.toISOString(), kind: row.kind, ...data };
  if (row.message_id === null) return entry;
  if (row.kind === 'message_received') return { ...entry, channel: row.channel, text: row.text, intent: row.intent };
  return {
    ...entry,
    channel: row.channel,
    purpose: row.purpose,
    text: row.text,
    // A message that was booked and never confirmed may or may not have been sent.
    delivery: row.delivery === 'booked' ? 'unknown' : row.delivery,
  };
}

/** Returns the timeline in chronological order. */
export const readTimeline =
  ({ db }: Pick<ServiceDeps, 'db'>) =>
  async (clientId: string, debtId: string, steps: BulkSteps): Promise<TimelineEntry[]> => {
    const rows = await db.read<EventRow>({ clientId }, events, [debtId]);
    return inChronologicalOrder(steps, rows.map(eventEntry));
  };
