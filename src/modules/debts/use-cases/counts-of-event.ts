import type { Count } from '../../../kernel/ports/counts.ts';
import type { NewDebtEvent } from '../queries/debt-events.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : 'unknown');

/**
 * What operators count of an entry of a timeline. Messages that were sent are not among it, because one message may stand
 * on several timelines: `send-message.ts` counts them.
 */
export function countsOfEvent({ kind, data }: NewDebtEvent): readonly Count[] {
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
