import { randomUUID } from 'node:crypto';
import { areaCodeOf } from '../../../kernel/phone.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { type DebtContext, loadDebt } from '../../debts/use-cases/debt-context.ts';
import { receiptMessage } from '../../messaging/texts/receipt.ts';
import type { FailureCause } from '../../messaging/use-cases/attempt-to-send.ts';
import type { BookedMessage } from '../../messaging/use-cases/booked-message.ts';
import { type Candidates, candidatesFor } from '../../messaging/use-cases/candidates.ts';
import { ledgerKeyOf } from '../../messaging/use-cases/contact-ledger.ts';
import { factsOf } from '../../messaging/use-cases/debt-facts.ts';
import { numbersOf, policyChannelOf, type Sender } from '../../messaging/use-cases/deps.ts';
import { bookMessage, sendBooked } from '../../messaging/use-cases/send-message.ts';
import { SENDER_REST_MS } from '../../messaging/use-cases/sender-state.ts';
import { readSuppressions, type Suppressed, suppressedBy } from '../../messaging/use-cases/suppressions.ts';
import { waitForSenderSlot } from '../../messaging/use-cases/wait-for-sender-slot.ts';
import { decideReceiptSending } from '../../policy/rules/message-policy.ts';
import { bindingPack } from '../../policy/rules/policy-pack.ts';
import { bookDelivery, type Delivery, setDeliveryState } from '../queries/receipt-deliveries.ts';
import { deliveryRetryAt } from './delivery-retry.ts';
import type { DeliveryDeps } from './deps.ts';
import type { ReceiptLetter } from './receipt-letter.ts';

/** After these failures the message way has failed; the debtor's page has the receipt. */
const GIVEN_UP: readonly FailureCause[] = ['message', 'recipient', 'silence'];

/** A receipt that could not be sent for so long after the confirmation waits for the window, as any other. */
const AT_ONCE_MS = 15 * 60_000;

/** Identifies one attempt of one delivery, so that it is booked once and found again after a crash. */
export const messageKey = ({ id, attempts }: Delivery): string => `receipt:${id}:${attempts}`;

/**
 * Returns the suppressions that bind this client, including those that other clients received. Only a worker may know
 * them.
 */
export async function suppressionsOf(
  tx: Tx,
  deps: DeliveryDeps,
  debt: DebtContext,
): Promise<Pick<Suppressed, 'optedOut' | 'wrongPerson'>> {
  const key = ledgerKeyOf(debt, deps.personKeys);
  const numbers = numbersOf(await deps.sendersOf(tx, debt));
  const suppressed = suppressedBy(await readSuppressions(tx, [key]), { ...key, numbers });
  return {
    optedOut: suppressed.optedOut || suppressed.elsewhere,
    wrongPerson: suppressed.wrongPerson || debt.wrongPerson,
  };
}

/**
 * The receipt goes to the debtor's e-mail by a delivery of its own, so here only senders count that reach the phone. A
 * person who wants e-mails gets none on a phone, also where the debt has no address: the page has the receipt.
 */
export const sendersToPhone = async (
  tx: Tx,
  { sendersOf }: Pick<DeliveryDeps, 'sendersOf'>,
  debt: DebtContext,
): Promise<readonly Sender[]> => {
  const connected = await sendersOf(tx, debt);
  const wanted = connected.filter(({ channel }) => channel.capabilities.policyChannel === debt.preference?.channel);
  return (wanted.length === 0 ? connected : wanted).filter(({ channel }) => channel.capabilities.reaches === 'phone');
};

export const sendingQuestion = async (
  tx: Tx,
  deps: Pick<DeliveryDeps, 'policy' | 'sendersOf'>,
  debt: DebtContext,
  now: number,
) => ({
  pack: bindingPack(deps.policy.pack, debt.collectsFor),
  holidays: deps.policy.holidays,
  channel: policyChannelOf(await sendersToPhone(tx, deps, debt)),
  phoneAreaCode: areaCodeOf(debt.debtorPhone),
  now,
});

export const candidatesByPhone = (
  tx: Tx,
  deps: Pick<DeliveryDeps, 'personKeys' | 'sendersOf' | 'now'>,
  debt: DebtContext,
): Promise<Candidates> =>
  candidatesFor(tx, { ...deps, sendersOf: () => sendersToPhone(tx, deps, debt) }, debt, { phone: debt.debtorPhone });

/**
 * Checks the policy again, books the message and sends it once. A receipt that may not be sent now waits or is refused.
 * That no sender can carry it is an attempt that has failed.
 */
export async function sendByMessage(
  deps: DeliveryDeps,
  letter: ReceiptLetter,
  delivery: Delivery,
  { candidates, now }: { readonly candidates: Candidates; readonly now: number },
): Promise<void> {
  const { clientId, id: debtId } = letter.debt;
  const db = deps.db.tenant(clientId);
  const [first] = candidates.list;
  const waitMs = first === undefined ? 0 : await waitForSenderSlot(deps, letter.debt, first, letter.debt.debtorPhone);
  const ready = await db.transactional(async (tx) => {
    const debt = await loadDebt(tx, debtId, { forUpdate: true });
    if (debt === null) return null;
    const decision = decideReceiptSending({
      ...(await sendingQuestion(tx, deps, debt, now)),
      ...(await suppressionsOf(tx, deps, debt)),
      onConfirmation: delivery.onConfirmation && now - delivery.wishedAt.getTime() < AT_ONCE_MS,
      // The limit was checked when the delivery was requested.
      sendings: [],
    });
    if (!decision.send) {
      await setDeliveryState(tx, delivery.id, { from: 'waiting', state: 'refused' });
      return null;
    }
    const sendAt = Math.max(decision.at, now + waitMs);
    if (sendAt > now) {
      await setDeliveryState(tx, delivery.id, { from: 'waiting', state: 'waiting', dueAt: new Date(sendAt) });
      return null;
    }
    const booked = await bookDelivery(tx, delivery.id);
    if (booked === undefined) return null;
    if (first === undefined) {
      const isGivenUp = candidates.nobodyBecause === 'recipient';
      await attemptFailed(tx, booked, now, { isGivenUp, retryAfterMs: SENDER_REST_MS });
      return null;
    }
    const facts = { ...factsOf(debt, deps), receiptUrl: letter.document.url };
    const { text, short, template } = receiptMessage(facts, letter.protocol);
    const { filename, url } = letter.document;
    const message = {
      id: randomUUID(),
      purpose: 'receipt' as const,
      phone: debt.debtorPhone,
      text,
      short,
      template,
      document: letter.document,
      at: now,
    };
    await bookMessage(tx, deps, debt, first, {
      ...message,
      attemptKey: messageKey(booked),
      shownDocument: { filename, url },
    });
    return { debt, booked, message: message satisfies BookedMessage };
  });
  if (ready === null) return;
  await sendBooked(deps, ready.debt, candidates.list, ready.message, async (tx, sending) => {
    if (sending.outcome !== 'failed') {
      await setDeliveryState(tx, delivery.id, { state: sending.outcome });
      return;
    }
    const { cause, retryAfterMs } = sending;
    await attemptFailed(tx, ready.booked, now, { isGivenUp: GIVEN_UP.includes(cause), retryAfterMs });
  });
}

/** The booked delivery waits for its next attempt, or has failed. */
async function attemptFailed(
  tx: Tx,
  { id, attempts }: Delivery,
  now: number,
  { isGivenUp, retryAfterMs }: { readonly isGivenUp: boolean; readonly retryAfterMs: number | null },
): Promise<void> {
  const nextAttemptAt = isGivenUp ? null : deliveryRetryAt(now, attempts, retryAfterMs);
  await setDeliveryState(
    tx,
    id,
    nextAttemptAt === null ? { state: 'failed' } : { state: 'waiting', dueAt: new Date(nextAttemptAt) },
  );
}
