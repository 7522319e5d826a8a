import type { Count } from '../../../kernel/ports/counts.ts';
import { addCounts } from '../../../platform/database/add-count.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { insertEach, insertEntries } from '../queries/debt-events.ts';
import type { TimelineEntry } from '../rules/timeline-entry.ts';
import { followEntry } from './inbox-items.ts';

/**
 * What operators count of an entry of a timeline. Messages that were sent are not among it, because one message may stand
 * on several timelines: `send-message.ts` counts them.
 */
function countsOf(entry: TimelineEntry): readonly Count[] {
  switch (entry.kind) {
    case 'verdict':
      return entry.allowed ? [] : entry.rules.map((rule) => ({ name: 'contacts_refused', labels: { rule } }));
    case 'payment_approved':
      return [{ name: 'payments', labels: { outcome: 'settled' } }];
    case 'payment_duplicate':
      return [{ name: 'payments', labels: { outcome: 'duplicate' } }];
    case 'payment_changed': {
      const outcome = 'change' in entry ? entry.change : 'problem' in entry ? entry.problem : 'rejected';
      return [{ name: 'payments', labels: { outcome } }];
    }
    case 'receipt_issued':
      return [{ name: 'receipts_issued', labels: {} }];
    case 'message_received':
      return [{ name: 'messages_received', labels: { channel: entry.channel } }];
    case 'status_changed':
      return [{ name: 'debts_moved', labels: { status: entry.to } }];
    default:
      return [];
  }
}

export const countEntries = (tx: Tx, entries: readonly TimelineEntry[]): void =>
  addCounts(tx, entries.flatMap(countsOf));

/**
 * Adds entries to a debt's timeline in the given order, and to the inbox what they ask of the client. `at` is by the
 * debt's own clock. With `asBooked` the entries keep that moment even when later ones are stored already, because the gate
 * decided about and counted that moment.
 */
export async function recordEntries(
  tx: Tx,
  debtId: string,
  at: number,
  entries: readonly TimelineEntry[],
  options: { readonly asBooked?: boolean } = {},
): Promise<void> {
  if (entries.length === 0) return;
  await insertEntries(tx, debtId, entries, { at: new Date(at), asBooked: options.asBooked === true });
  countEntries(tx, entries);
  for (const entry of entries) await followEntry(tx, debtId, entry);
}

/** Adds entries to many timelines in one statement, those of one debt in the given order. */
export async function recordEach(
  tx: Tx,
  entries: readonly { readonly debtId: string; readonly at: number; readonly entry: TimelineEntry }[],
): Promise<void> {
  if (entries.length === 0) return;
  await insertEach(
    tx,
    entries.map((one) => ({ ...one, at: new Date(one.at) })),
  );
  countEntries(
    tx,
    entries.map(({ entry }) => entry),
  );
}
