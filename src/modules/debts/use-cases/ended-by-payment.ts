import type { Tx } from '../../../platform/database/tx.ts';
import type { DebtContext } from '../queries/debt-context.ts';
import { openItemsFor, undecidedItems } from '../queries/ended-by-payment.ts';
import { openRequests } from '../queries/person-requests.ts';
import type { EndedByPayment } from '../rules/ended-by-payment.ts';
import type { InboxReason } from '../rules/inbox-reasons.ts';
import { reasonOfRequest } from '../rules/person-requests.ts';
import { askStaff, CLOSED_TO_REQUESTS } from './inbox-items.ts';

/** Returns what a payment is about to end of a debt, as a member of the payment's entry; nothing where it ends nothing. */
export async function endedByPayment(
  tx: Tx,
  { id, requests }: Pick<DebtContext, 'id' | 'requests'>,
  reasons: readonly InboxReason[],
): Promise<{ readonly ended?: EndedByPayment }> {
  const items = await openItemsFor(tx, id, reasons);
  if (items.length === 0) return {};
  const asked = requests.filter((request) => items.some(({ reason }) => reason === reasonOfRequest(request)));
  return { ended: { itemIds: items.map((item) => item.id), requests: asked } };
}

/**
 * A payment was a mistake: what it had ended waits for the staff again, for the debt and for its person, unless staff have
 * decided about it since, or the debt was stopped meanwhile.
 */
export async function openEndedAgain(
  tx: Tx,
  debt: Pick<DebtContext, 'id' | 'status' | 'clientId' | 'debtorTaxId' | 'sandbox'>,
  { itemIds, requests }: EndedByPayment,
): Promise<void> {
  if (CLOSED_TO_REQUESTS.includes(debt.status)) return;
  const items = await undecidedItems(tx, itemIds);
  for (const { reason } of items) await askStaff(tx, debt.id, reason);
  const isOpen = (reason: InboxReason): boolean => items.some((item) => item.reason === reason && !item.isDecided);
  await openRequests(
    tx,
    debt,
    requests.filter((request) => isOpen(reasonOfRequest(request))),
  );
}
