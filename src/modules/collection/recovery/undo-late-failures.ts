import type { Tx } from '../../../platform/database/tx.ts';
import type { DebtTask } from '../../debts/rules/debt-task.ts';
import { momentOf } from '../../debts/use-cases/clock.ts';
import { type DebtContext, loadDebt, lockDebts } from '../../debts/use-cases/debt-context.ts';
import { askStaff } from '../../debts/use-cases/inbox-items.ts';
import { MESSAGING_ERROR_KINDS } from '../../messaging/ports/messaging-channel.ts';
import { clearUndoDue, LATE_FAILURES } from '../../messaging/queries/late-failures.ts';
import { causeOf, type FailureCause } from '../../messaging/use-cases/attempt-to-send.ts';
import { candidatesFor } from '../../messaging/use-cases/candidates.ts';
import { unbookContact } from '../../messaging/use-cases/contact-ledger.ts';
import { reopenDelivery } from '../../receipts/queries/receipt-deliveries.ts';
import { undoContact } from '../contact/finish-contact.ts';
import type { CollectionDeps } from '../deps.ts';

/**
 * A channel may accept a message and say later that it was not delivered. Its contact is then undone, so that the gate
 * decides about the same step again and the next channel carries it: one contact for every cap.
 */
export async function undoLateFailures(deps: CollectionDeps, task: DebtTask): Promise<void> {
  const { clientId, debtId, clock } = task;
  const failed = await deps.db.readPrepared({ clientId }, LATE_FAILURES, { debtId });
  if (failed.length === 0) return;
  const db = deps.db.tenant(clientId);
  const debt = await db.transactional((tx) => loadDebt(tx, debtId));
  if (debt === null) return;
  const now = momentOf(clock, debt, deps.now().getTime());
  for (const message of failed) {
    const isContact = message.purpose === 'collection';
    if (isContact && !message.staff) {
      const failure = { cause: causeOfFailure(message.failure), retryAfterMs: null };
      await db.transactional(async (tx) => {
        await lockDebts(tx, [debtId, ...message.alsoAbout]);
        const debts = await asBefore(tx, debt, message.alsoAbout);
        await undoContact(tx, deps, { messageId: message.id, at: now, debts }, failure);
      });
    }
    await db.transactional(async (tx) => {
      if (message.purpose === 'receipt') await sendReceiptAgain(tx, deps, debt, { ...message, now });
      // What staff have written is not a step that another channel repeats; it was no contact either.
      else if (isContact && message.staff) await unbookContact(tx, message.id);
      if (message.purpose !== 'receipt' && (!isContact || message.staff)) await askStaff(tx, debt.id, 'undelivered');
      await clearUndoDue(tx, message.id);
    });
  }
}

/** Returns the debts of the contact, with the step that they had before it. */
async function asBefore(tx: Tx, debt: DebtContext, others: readonly string[]): Promise<DebtContext[]> {
  const all = [debt, ...(await Promise.all(others.map((id) => loadDebt(tx, id)))).filter((each) => each !== null)];
  return all.map((each) => ({ ...each, step: Math.max(0, each.step - 1) }));
}

/** Only a channel that has not been tried in vain carries a receipt again; otherwise the client is told. */
async function sendReceiptAgain(
  tx: Tx,
  deps: CollectionDeps,
  debt: DebtContext,
  message: { readonly attemptKey: string | null; readonly phone: string | null; readonly now: number },
): Promise<void> {
  const [, deliveryId] = (message.attemptKey ?? '').split(':');
  const { list } = await candidatesFor(tx, deps, debt, { phone: message.phone ?? debt.debtorPhone });
  if (deliveryId !== undefined && list.length > 0) await reopenDelivery(tx, deliveryId, new Date(message.now));
  else await askStaff(tx, debt.id, 'undelivered');
}

/** The stored failure begins with the kind of error. */
export function causeOfFailure(failure: string | null): FailureCause {
  const [name = ''] = (failure ?? '').split(' ');
  const kind = MESSAGING_ERROR_KINDS.find((known) => known === name);
  return kind === undefined || kind === 'unknown_outcome' ? 'recipient' : causeOf(kind, 'recipient');
}
