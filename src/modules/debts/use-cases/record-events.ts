import type { Count } from '../../../kernel/ports/counts.ts';
import { addCounts } from '../../../platform/database/add-count.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { insertDebtEvents, insertEventOfEach, type NewDebtEvent } from '../queries/debt-events.ts';
import { followEvent } from './inbox-items.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : 'unknown');

/**
 * What operators count of an entry of a timeline. Messages that were sent are not among it, because one message may stand
 * on several timelines: `send-message.ts` counts them.
 */
function countsOfEvent({ kind, data }: NewDebtEvent): readonly Count[] {
  switch (kind) {
    case 'verdict':
      return data['allowed'] === false && Array.isArray(data['rules'])
        ? data['rules'].map((rule: unknown) => ({ name: 'contacts_refused', labels: { rule: text(rule) } }))
        : [];
    case 'payment_approved':
      return [{ name: 'payments', labels: { outcome: 'settled' } }];
    case 'payment_duplicate':
      return [{ name: 'payments', labels: { outcome: 'duplicate' } }];
    case 'payment_changed':
      return [
        {
          name: 'payments',
          labels: { outcome: text(data['change'] ?? data['problem'] ?? data['status']).toLowerCase() },
        },
      ];
    case 'receipt_issued':
      return [{ name: 'receipts_issued', labels: {} }];
    case 'message_received':
      return [{ name: 'messages_received', labels: { channel: text(data['channel']) } }];
    case 'status_changed':
      return [{ name: 'debts_moved', labels: { status: text(data['to']) } }];
    default:
      return [];
  }
}

export const countEvents = (tx: Tx, entries: readonly NewDebtEvent[]): void =>
  addCounts(tx, entries.flatMap(countsOfEvent));

/**
 * Adds events to a debt's timeline in the given order, and to the inbox what they ask of the client. `at` is by the debt's own clock. With `asBooked` the events keep
 * that moment even when later events are stored already, because the gate decided about and counted that moment.
 */
export async function recordEvents(
  tx: Tx,
  debtId: string,
  at: number,
  entries: readonly NewDebtEvent[],
  options: { readonly asBooked?: boolean } = {},
): Promise<void> {
  if (entries.length === 0) return;
  await insertDebtEvents(tx, debtId, entries, { at: new Date(at), asBooked: options.asBooked === true });
  countEvents(tx, entries);
  for (const entry of entries) await followEvent(tx, debtId, entry);
}

/** Adds one event to each of many debts in one statement. */
export async function recordEach(
  tx: Tx,
  entries: readonly (NewDebtEvent & { readonly debtId: string; readonly at: number })[],
): Promise<void> {
  if (entries.length === 0) return;
  await insertEventOfEach(
    tx,
    entries.map((entry) => ({ ...entry, at: new Date(entry.at) })),
  );
  countEvents(tx, entries);
}
