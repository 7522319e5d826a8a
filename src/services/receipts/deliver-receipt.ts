import type { EntityManager } from '@mikro-orm/postgresql';
import { runInTransaction } from '../../db/statement.ts';
import { decideReceiptSending } from '../../domain/message-policy.ts';
import { type DebtClock, momentOf } from '../collection/clock.ts';
import { type DebtContext, keepClock, loadDebt } from '../collection/debt-context.ts';
import { type Outlook, outlookOf } from '../collection/outlook.ts';
import { settleEarlierTry } from '../collection/send-message.ts';
import { recordEvents } from '../timeline.ts';
import type { DeliveryDeps } from './deps.ts';
import { type IssuedReceipt, issueReceipt } from './issue-receipt.ts';
import { type Delivery, dueDeliveries, giveUpBooked, wishDelivery } from './receipt-deliveries.ts';
import { readLetter } from './receipt-letter.ts';
import { emailSent, sendByEmail } from './send-by-email.ts';
import { messageKey, sendByMessage, sendingQuestion, silenceOf } from './send-by-message.ts';

export interface DeliveryRequest {
  readonly clientId: string;
  readonly debtId: string;
  readonly clock: DebtClock;
}

/**
 * Issues the receipt of a settled debt and sends it by every way that is due: once after the confirmation, and whenever
 * the client asked for it. Doing it again sends nothing twice. Tells when to look again.
 */
export const deliverReceipt =
  (deps: DeliveryDeps) =>
  async ({ clientId, debtId, clock }: DeliveryRequest): Promise<Outlook> => {
    const issued = await issueReceipt(deps)({ clientId, debtId });
    if (issued !== null) await deliver(deps, issued, clientId, clock);
    return outlookOf(deps, clientId, debtId);
  };

async function deliver(deps: DeliveryDeps, issued: IssuedReceipt, clientId: string, clock: DebtClock): Promise<void> {
  const ready = await deps.db.tenant(clientId).transactional(async (em) => {
    const debt = await loadDebt(em, issued.debtId, { forUpdate: true });
    if (debt === null || debt.erased) return null;
    await keepClock(em, debt.id, clock.offsetMs);
    const now = momentOf(clock, debt, deps.now().getTime());
    await closeEarlierTries(em, deps, debt, issued.receipt.protocol, now);
    if (issued.receipt.revokedAt === null) await wishOnConfirmation(em, deps, debt, issued.receipt.id, now);
    const due = await dueDeliveries(em, debt.id, now);
    const letter = due.length === 0 ? null : await readLetter(em, deps, debt, issued.receipt.id);
    return letter === null ? null : { letter, due, now };
  });
  if (ready === null) return;
  const { letter, due, now } = ready;
  const send = (delivery: Delivery) =>
    (delivery.way === 'message' ? sendByMessage : sendByEmail)(deps, letter, delivery, now);
  await Promise.all(due.map(send));
}

/** A try that died between booking and sending, or between sending and writing it down. */
async function closeEarlierTries(
  em: EntityManager,
  deps: DeliveryDeps,
  debt: DebtContext,
  protocol: string,
  now: number,
): Promise<void> {
  for (const delivery of await giveUpBooked(em, debt.id)) {
    if (delivery.way === 'email') {
      await recordEvents(em, debt.id, now, [emailSent(protocol, 'unknown')]);
    } else {
      const { channel } = await deps.senderOf(debt);
      await settleEarlierTry(em, debt, channel.name, messageKey(delivery));
    }
  }
}

const EMAIL = 'select debtor_email is not null as "hasEmail" from debts where id = $1';

async function wishOnConfirmation(
  em: EntityManager,
  deps: DeliveryDeps,
  debt: DebtContext,
  receiptId: string,
  now: number,
): Promise<void> {
  const decision = decideReceiptSending({
    ...sendingQuestion(deps, debt, now),
    ...(await silenceOf(em, deps, debt)),
    onConfirmation: true,
    sendings: [],
  });
  if (!decision.send) return;
  const wish = { clientId: debt.clientId, debtId: debt.id, receiptId, onConfirmation: true, wishedAt: now, dueAt: now };
  await wishDelivery(em, { ...wish, way: 'message' });
  const [row] = await runInTransaction<{ hasEmail: boolean }>(em, EMAIL, [debt.id]);
  if (row?.hasEmail === true && deps.mailerOf(debt) !== null) await wishDelivery(em, { ...wish, way: 'email' });
}
