import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { bookDelivery, type Delivery, setDeliveryState } from '../../db/queries/receipt-deliveries.ts';
import { receiptMessage } from '../../documents/messages/receipt.ts';
import { decideReceiptSending } from '../../domain/message-policy.ts';
import { areaCodeOf } from '../../domain/phone.ts';
import { type DebtContext, loadDebt } from '../debts/debt-context.ts';
import { factsOf } from '../debts/debt-facts.ts';
import { ledgerKeyOf } from '../messaging/contact-ledger.ts';
import { type BookedMessage, bookMessage, sendBooked } from '../messaging/send-message.ts';
import { readSuppressions, type Suppressed, suppressedBy } from '../messaging/suppressions.ts';
import { deliveryRetryAt } from './delivery-retry.ts';
import type { DeliveryDeps } from './deps.ts';
import type { ReceiptLetter } from './receipt-letter.ts';

/** Identifies one attempt of one delivery, so that it is booked once and found again after a crash. */
export const messageKey = ({ id, attempts }: Delivery): string => `receipt:${id}:${attempts}`;

/**
 * Returns the suppressions that bind this client, including those that other clients received. Only a worker may know
 * them.
 */
export async function suppressionsOf(
  em: EntityManager,
  deps: DeliveryDeps,
  debt: DebtContext,
): Promise<Pick<Suppressed, 'optedOut' | 'wrongPerson'>> {
  const key = ledgerKeyOf(debt, deps.personKeys);
  const { number } = await deps.senderOf(debt);
  const suppressed = suppressedBy(await readSuppressions(em, [key]), { ...key, sender: number });
  return {
    optedOut: suppressed.optedOut || suppressed.elsewhere,
    wrongPerson: suppressed.wrongPerson || debt.wrongPerson,
  };
}

export const sendingQuestion = (deps: Pick<DeliveryDeps, 'policy'>, debt: DebtContext, now: number) => ({
  pack: deps.policy.pack,
  holidays: deps.policy.holidays,
  channel: 'whatsapp' as const,
  phoneAreaCode: areaCodeOf(debt.debtorPhone),
  now,
});

/**
 * Checks the policy again, books the message and sends it once. A receipt that may not be sent now waits or is refused.
 */
export async function sendByMessage(
  deps: DeliveryDeps,
  letter: ReceiptLetter,
  delivery: Delivery,
  now: number,
): Promise<void> {
  const { clientId, id: debtId } = letter.debt;
  const db = deps.db.tenant(clientId);
  const sender = await deps.senderOf(letter.debt);
  const ready = await db.transactional(async (em) => {
    const debt = await loadDebt(em, debtId, { forUpdate: true });
    if (debt === null) return null;
    const decision = decideReceiptSending({
      ...sendingQuestion(deps, debt, now),
      ...(await suppressionsOf(em, deps, debt)),
      onConfirmation: delivery.onConfirmation,
      // The limit was checked when the delivery was requested.
      sendings: [],
    });
    if (!decision.send) {
      await setDeliveryState(em, delivery.id, { from: 'waiting', state: 'refused' });
      return null;
    }
    if (decision.at > now) {
      await setDeliveryState(em, delivery.id, { from: 'waiting', state: 'waiting', dueAt: new Date(decision.at) });
      return null;
    }
    const booked = await bookDelivery(em, delivery.id);
    if (booked === undefined) return null;
    const facts = { ...factsOf(debt, deps), receiptUrl: letter.document.url };
    const { text, template } = receiptMessage(facts, letter.protocol);
    const { filename, url } = letter.document;
    const message = {
      id: randomUUID(),
      purpose: 'receipt' as const,
      phone: debt.debtorPhone,
      text,
      template,
      document: letter.document,
      at: now,
    };
    await bookMessage(em, debt, sender.channel.name, {
      ...message,
      attemptKey: messageKey(booked),
      shownDocument: { filename, url },
    });
    return { debt, booked, message: message satisfies BookedMessage };
  });
  if (ready === null) return;
  const sending = await sendBooked(deps, ready.debt, sender, ready.message);
  await db.transactional(async (em) => {
    if (sending.outcome !== 'failed') {
      await setDeliveryState(em, delivery.id, { state: sending.outcome });
      return;
    }
    const nextAttemptAt =
      sending.cause === 'message' || sending.cause === 'recipient'
        ? null
        : deliveryRetryAt(now, ready.booked.attempts, sending.retryAfterMs);
    await setDeliveryState(
      em,
      delivery.id,
      nextAttemptAt === null ? { state: 'failed' } : { state: 'waiting', dueAt: new Date(nextAttemptAt) },
    );
  });
}
