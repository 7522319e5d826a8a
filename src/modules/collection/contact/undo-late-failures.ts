import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { forgetNotice, readAgreement } from '../../agreements/queries/agreements.ts';
import type { DebtTask } from '../../debts/rules/debt-task.ts';
import { momentOf } from '../../debts/use-cases/clock.ts';
import { type DebtContext, loadDebt, lockDebts, lockRowsOfDebt } from '../../debts/use-cases/debt-context.ts';
import { askStaff } from '../../debts/use-cases/inbox-items.ts';
import { MESSAGING_ERROR_KINDS } from '../../messaging/ports/messaging-channel.ts';
import { unbookContact } from '../../messaging/queries/contact-ledger.ts';
import { clearUndoDue, LATE_FAILURES } from '../../messaging/queries/message-reports.ts';
import { causeOf, type FailureCause } from '../../messaging/use-cases/attempt-to-send.ts';
import { type ContactPurpose, isContactPurpose } from '../../policy/rules/contact-policy.ts';
import { giveDeliveryUp, reopenDelivery } from '../../receipts/queries/receipt-deliveries.ts';
import { deliveryRetryAt } from '../../receipts/use-cases/delivery-retry.ts';
import { candidatesByPhone } from '../../receipts/use-cases/send-by-message.ts';
import type { CollectionDeps } from '../deps.ts';
import { debtsContactedLater } from '../queries/contact-gate.ts';
import { undoContact } from './finish-contact.ts';

type LateFailure = ReturnType<typeof LATE_FAILURES.rowsOf>[number];

/**
 * A channel may accept a message and say later that it was not delivered. Its contact is then undone, so that the gate
 * decides about the same step again and the next channel carries it: one contact for every cap.
 */
export async function undoLateFailures(deps: CollectionDeps, task: DebtTask): Promise<void> {
  const { clientId, debtId } = task;
  const failed = await deps.db.readPrepared({ clientId }, LATE_FAILURES, { debtId });
  for (const message of failed) {
    await deps.db.tenant(clientId).transactional((tx) => undoMessage(tx, deps, task, message));
  }
}

/** A failure is undone once: the transaction that takes the mark from the message undoes it. */
async function undoMessage(
  tx: Tx,
  deps: CollectionDeps,
  { debtId, clock }: DebtTask,
  message: LateFailure,
): Promise<void> {
  const { id, purpose, staff } = message;
  await (purpose === 'agreement' ? lockRowsOfDebt(tx, debtId) : lockDebts(tx, [debtId, ...message.alsoAbout]));
  if (!(await clearUndoDue(tx, id))) return;
  const debt = await loadDebt(tx, debtId);
  if (debt === null) return;
  const now = momentOf(clock, debt, deps.now().getTime());
  if (isContactPurpose(purpose) && !staff) return undoLateContact(tx, deps, debt, { ...message, purpose, now });
  if (purpose === 'receipt') return sendReceiptAgain(tx, deps, debt, { ...message, now });
  // What staff have written is not a step that another channel repeats; it was no contact either.
  if (isContactPurpose(purpose)) await unbookContact(tx, id);
  if (purpose === 'agreement') await noticeFailed(tx, deps, debt, id);
  await askStaff(tx, debtId, 'undelivered');
}

/**
 * The step is made again for the debts of the contact. Where a later contact did not fail, the person has got a later
 * step, on this phone or on the one that has taken over, and the sequence goes on from there.
 */
async function undoLateContact(
  tx: Tx,
  deps: CollectionDeps,
  debt: DebtContext,
  message: LateFailure & { readonly purpose: ContactPurpose; readonly now: number },
): Promise<void> {
  const { id: messageId, purpose, alsoAbout, now: at } = message;
  const contacted = await debtsContactedLater(tx, messageId, [debt.id, ...alsoAbout]);
  const others = await Promise.all(alsoAbout.map((id) => loadDebt(tx, id)));
  const debts = [debt, ...others.filter((each) => each !== null)]
    .filter(({ id }) => !contacted.includes(id))
    .map((each) => beforeContact(each, purpose));
  const failure = { cause: causeOfFailure(message.failure), retryAfterMs: null };
  await undoContact(tx, deps, { purpose, messageId, phone: message.phone ?? debt.debtorPhone, at, debts }, failure);
  // Where this workflow has nothing to make again, those of the other debts do it.
  if (!contacted.includes(debt.id)) return;
  for (const each of debts) {
    await addOutbox(tx, deps.workflows.wakeDebt(each, 'stateChanged', 'message not delivered'));
  }
}

/** A reminder before this one was on another day, so that nothing depends on its moment any more. */
const beforeContact = (debt: DebtContext, purpose: ContactPurpose): DebtContext =>
  purpose === 'reminder' ? { ...debt, remindedAt: null } : { ...debt, step: Math.max(0, debt.step - 1) };

/** The notice is due again, and was neither a contact nor a warning. All rows of the debt are locked. */
async function noticeFailed(tx: Tx, deps: CollectionDeps, debt: DebtContext, messageId: string): Promise<void> {
  await unbookContact(tx, messageId);
  const agreement = debt.agreed === null ? undefined : await readAgreement(tx, debt.agreed.agreementId);
  if (agreement === undefined) return;
  await forgetNotice(tx, agreement.id, messageId);
  await addOutbox(tx, deps.workflows.wakeAgreement(agreement, 'stateChanged'));
}

/** After these failures the same sender does not send the same again. */
const TAKEN_OVER: readonly FailureCause[] = ['recipient', 'message'];

/**
 * A receipt that fails late is tried as often as one that fails at once, and after the same waits; where another channel or
 * the template takes over, at once. The debt is paid, so that no case is opened: timeline and lists say that it failed.
 */
async function sendReceiptAgain(
  tx: Tx,
  deps: CollectionDeps,
  debt: DebtContext,
  { attemptKey, failure, now }: Pick<LateFailure, 'attemptKey' | 'failure'> & { readonly now: number },
): Promise<void> {
  const [, deliveryId, attempts] = (attemptKey ?? '').split(':');
  if (deliveryId === undefined) return;
  const { nobodyBecause } = await candidatesByPhone(tx, deps, debt);
  const retryAt = nobodyBecause === 'recipient' ? null : deliveryRetryAt(now, Number(attempts), null);
  if (retryAt === null) {
    await giveDeliveryUp(tx, deliveryId);
    return;
  }
  const isTakenOver = TAKEN_OVER.includes(causeOfFailure(failure));
  await reopenDelivery(tx, deliveryId, new Date(isTakenOver ? now : retryAt));
}

/** The stored failure begins with the kind of error. */
function causeOfFailure(failure: string | null): FailureCause {
  const [name = ''] = (failure ?? '').split(' ');
  const kind = MESSAGING_ERROR_KINDS.find((known) => known === name);
  return kind === undefined || kind === 'unknown_outcome' ? 'recipient' : causeOf(kind, 'recipient');
}
