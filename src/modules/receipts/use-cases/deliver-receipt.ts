import { isRevoked } from '../../../kernel/revoked-reasons.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { DebtClock } from '../../debts/rules/debt-task.ts';
import type { NextStep } from '../../debts/rules/next-step.ts';
import { momentOf } from '../../debts/use-cases/clock.ts';
import { type DebtContext, keepClock, loadDebt } from '../../debts/use-cases/debt-context.ts';
import { nextStepOf } from '../../debts/use-cases/next-step.ts';
import { recordEvents } from '../../debts/use-cases/record-events.ts';
import { settleEarlierTry } from '../../messaging/use-cases/send-message.ts';
import { decideReceiptSending } from '../../policy/rules/message-policy.ts';
import {
  type Delivery,
  dueDeliveries,
  hasDebtorEmail,
  insertDelivery,
  markBookedUnknown,
} from '../queries/receipt-deliveries.ts';
import type { DeliveryDeps } from './deps.ts';
import { type IssuedReceipt, issueReceipt } from './issue-receipt.ts';
import { readLetter } from './receipt-letter.ts';
import { emailSent, sendByEmail } from './send-by-email.ts';
import { messageKey, sendByMessage, sendingQuestion, suppressionsOf } from './send-by-message.ts';

export interface DeliveryRequest {
  readonly clientId: string;
  readonly debtId: string;
  readonly clock: DebtClock;
}

/**
 * Issues the receipt of a settled debt and makes every delivery that is due: one after the confirmation, and one for
 * each request of the client. The function is idempotent. It returns what the workflow does next.
 */
export const deliverReceipt =
  (deps: DeliveryDeps) =>
  async ({ clientId, debtId, clock }: DeliveryRequest): Promise<NextStep> => {
    const issued = await issueReceipt(deps)({ clientId, debtId });
    if (issued !== null) await deliver(deps, issued, clientId, clock);
    return nextStepOf(deps, clientId, debtId);
  };

async function deliver(deps: DeliveryDeps, issued: IssuedReceipt, clientId: string, clock: DebtClock): Promise<void> {
  const ready = await deps.db.tenant(clientId).transactional(async (tx) => {
    const debt = await loadDebt(tx, issued.debtId, { forUpdate: true });
    if (debt === null || debt.erased) return null;
    await keepClock(tx, debt, clock.offsetMs);
    const now = momentOf(clock, debt, deps.now().getTime());
    await closeEarlierAttempts(tx, debt, issued.receipt.protocol, now);
    if (!isRevoked(issued.receipt)) await requestOnConfirmation(tx, deps, debt, issued.receipt.id, now);
    const due = await dueDeliveries(tx, debt.id, new Date(now));
    const letter = due.length === 0 ? null : await readLetter(tx, deps, debt, issued.receipt.id);
    return letter === null ? null : { letter, due, now };
  });
  if (ready === null) return;
  const { letter, due, now } = ready;
  const send = (delivery: Delivery) =>
    (delivery.way === 'message' ? sendByMessage : sendByEmail)(deps, letter, delivery, now);
  await Promise.all(due.map(send));
}

/** Marks deliveries as unknown whose attempt crashed after booking: they may or may not have been sent. */
async function closeEarlierAttempts(tx: Tx, debt: DebtContext, protocol: string, now: number): Promise<void> {
  for (const delivery of await markBookedUnknown(tx, debt.id)) {
    if (delivery.way === 'email') {
      await recordEvents(tx, debt.id, now, [emailSent(protocol, 'unknown')]);
    } else {
      await settleEarlierTry(tx, debt, messageKey(delivery));
    }
  }
}

async function requestOnConfirmation(
  tx: Tx,
  deps: DeliveryDeps,
  debt: DebtContext,
  receiptId: string,
  now: number,
): Promise<void> {
  const decision = decideReceiptSending({
    ...(await sendingQuestion(tx, deps, debt, now)),
    ...(await suppressionsOf(tx, deps, debt)),
    onConfirmation: true,
    sendings: [],
  });
  if (!decision.send) return;
  const request = {
    clientId: debt.clientId,
    debtId: debt.id,
    receiptId,
    onConfirmation: true,
    wishedAt: new Date(now),
    dueAt: new Date(now),
  };
  const senders = await deps.sendersOf(tx, debt);
  if (senders.some(({ channel }) => channel.capabilities.reaches === 'phone')) {
    await insertDelivery(tx, { ...request, way: 'message' });
  }
  const hasEmail = await hasDebtorEmail(tx, debt.id);
  if (hasEmail && deps.mailerOf(debt) !== null) await insertDelivery(tx, { ...request, way: 'email' });
}
