import type { CollectionWorkflows } from '../../../kernel/ports/collection-workflows.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { DebtContext } from '../queries/debt-context.ts';
import { endedClaim, openItemsFor, undecidedItems, wouldStillWait } from '../queries/ended-by-payment.ts';
import { openRequests, storeTold } from '../queries/person-requests.ts';
import type { EndedByPayment } from '../rules/ended-by-payment.ts';
import type { InboxReason } from '../rules/inbox-reasons.ts';
import { reasonOfRequest } from '../rules/person-requests.ts';
import { askStaff, CLOSED_TO_REQUESTS, wakeAgreementsOf } from './inbox-items.ts';

/**
 * Returns what a payment is about to end of a debt, as a member of the payment's entry; nothing where it ends nothing. The
 * debt was read before the payment.
 */
export async function endedByPayment(
  tx: Tx,
  { id, requests, saidPaidAt }: Pick<DebtContext, 'id' | 'requests' | 'saidPaidAt'>,
  reasons: readonly InboxReason[],
): Promise<{ readonly ended?: EndedByPayment }> {
  const items = await openItemsFor(tx, id, reasons);
  if (items.length === 0 && saidPaidAt === null) return {};
  const asked = requests.filter((request) => items.some(({ reason }) => reason === reasonOfRequest(request)));
  const claim = saidPaidAt === null ? {} : { claim: await endedClaim(tx, saidPaidAt) };
  return { ended: { itemIds: items.map((item) => item.id), requests: asked, ...claim } };
}

/**
 * A payment was a mistake: what it had ended waits for the staff again, for the debt and for its person, unless staff have
 * decided about it since, or the debt was stopped meanwhile. The person's claim of payment silences their other debts also
 * when this one was stopped.
 */
export async function openEndedAgain(
  tx: Tx,
  workflows: CollectionWorkflows,
  debt: Pick<DebtContext, 'id' | 'status' | 'clientId' | 'debtorTaxId' | 'sandbox'>,
  { itemIds, requests, claim }: EndedByPayment,
): Promise<void> {
  if (claim !== undefined && (await wouldStillWait(tx, debt, claim))) {
    await storeTold(tx, debt, { saidPaidAt: new Date(claim.saidPaidAt) });
  }
  if (CLOSED_TO_REQUESTS.includes(debt.status)) return;
  const items = await undecidedItems(tx, itemIds);
  for (const { reason } of items) await askStaff(tx, debt.id, reason);
  const isOpen = (reason: InboxReason): boolean => items.some((item) => item.reason === reason && !item.isDecided);
  const open = requests.filter((request) => isOpen(reasonOfRequest(request)));
  await openRequests(tx, debt, open);
  if (open.includes('said_paid')) await wakeAgreementsOf(tx, workflows, debt);
}
