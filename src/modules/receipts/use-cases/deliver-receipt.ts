import { type Mailer, MailerError } from '../../../kernel/ports/mailer.ts';
import { isRevoked } from '../../../kernel/revoked-reasons.ts';
import { isCnpj } from '../../../kernel/tax-id.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { type Email, formsOfMail } from '../../../platform/mail/email.ts';
import type { DebtClock } from '../../debts/rules/debt-task.ts';
import type { KnowingStep } from '../../debts/rules/next-step.ts';
import type { TimelineEntry } from '../../debts/rules/timeline-entry.ts';
import { momentOf } from '../../debts/use-cases/clock.ts';
import { type DebtContext, keepClock, loadDebt, lockDebts } from '../../debts/use-cases/debt-context.ts';
import { nextStepOf } from '../../debts/use-cases/next-step.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { keepSentTexts } from '../../genuine/use-cases/keep-sent-texts.ts';
import { settleEarlierTry } from '../../messaging/use-cases/send-message.ts';
import { decideReceiptSending } from '../../policy/rules/message-policy.ts';
import {
  bookDelivery,
  type Delivery,
  dueDeliveries,
  emailsOfDebt,
  hasDebtorEmail,
  insertDelivery,
  markBookedUnknown,
  refuseOutdatedDeliveries,
  setDeliveryState,
  setEmailInUse,
} from '../queries/receipt-deliveries.ts';
import { receiptEmail } from '../texts/receipt-email.ts';
import { deliveryRetryAt } from './delivery-retry.ts';
import type { DeliveryDeps } from './deps.ts';
import { type IssuedReceipt, issuePartReceipts, issueReceipt } from './issue-receipt.ts';
import { type ReceiptLetter, readLetter } from './receipt-letter.ts';
import {
  candidatesByPhone,
  messageKey,
  sendByMessage,
  sendersToPhone,
  sendingQuestion,
  suppressionsOf,
} from './send-by-message.ts';

type Outcome = 'sent' | 'unknown' | 'failed' | 'failed_for_now';

/** Books and sends the e-mail once. An e-mail that may have been sent is not repeated. */
async function sendByEmail(deps: DeliveryDeps, letter: ReceiptLetter, delivery: Delivery, now: number): Promise<void> {
  const { debt, debtorEmail } = letter;
  const mailer = deps.mailerOf(debt);
  const mail = mailOf(deps, letter);
  const db = deps.db.tenant(debt.clientId);
  const booked = await db.transactional(async (tx) => {
    const suppressions = await suppressionsOf(tx, deps, (await loadDebt(tx, debt.id, { forUpdate: true })) ?? debt);
    if (mailer === null || debtorEmail === null || suppressions.optedOut || suppressions.wrongPerson) {
      await setDeliveryState(tx, delivery.id, { from: 'waiting', state: 'refused' });
      return undefined;
    }
    const { clientId, sandbox } = debt;
    await keepSentTexts(tx, deps, { clientId, sandbox, texts: formsOfMail(mail) });
    return bookDelivery(tx, delivery.id);
  });
  if (booked === undefined || mailer === null || debtorEmail === null) return;
  const outcome = await attempt(mailer, { letter, mail, to: debtorEmail }, { id: delivery.id, now });
  await db.transactional(async (tx) => {
    await lockDebts(tx, [debt.id]);
    const nextAttemptAt = outcome === 'failed_for_now' ? deliveryRetryAt(now, booked.attempts, null) : null;
    if (nextAttemptAt !== null) {
      await setDeliveryState(tx, delivery.id, { state: 'waiting', dueAt: new Date(nextAttemptAt) });
      return;
    }
    const state = outcome === 'failed_for_now' ? 'failed' : outcome;
    const handedOver = outcome === 'failed' && (await useNextEmail(tx, debt.id, debtorEmail, now));
    const next = handedOver ? ({ state: 'waiting', dueAt: new Date(now) } as const) : { state };
    if (!(await setDeliveryState(tx, delivery.id, next))) return;
    await recordEntries(tx, debt.id, now, [emailSent(letter.protocol, state)]);
  });
}

/** The mail server refuses the address, so the next one takes over. Returns false when none is left. */
async function useNextEmail(tx: Tx, debtId: string, refused: string, at: number): Promise<boolean> {
  const emails = (await emailsOfDebt(tx, debtId)) ?? [];
  const from = emails.indexOf(refused);
  const next = emails[from + 1];
  if (from === -1 || next === undefined || !(await setEmailInUse(tx, debtId, { refused, next }))) return false;
  await recordEntries(tx, debtId, at, [
    { kind: 'debt_changed', field: 'debtorEmail', reason: 'undeliverable', from, to: from + 1 },
  ]);
  return true;
}

const emailSent = (protocol: string, delivery: 'sent' | 'unknown' | 'failed'): TimelineEntry => ({
  kind: 'email_sent',
  purpose: 'receipt',
  protocol,
  delivery,
});

const mailOf = (
  { publicUrl }: Pick<DeliveryDeps, 'publicUrl'>,
  { debt, document, protocol, verifyUrl, rightsUrl, paidCentavos, method }: ReceiptLetter,
): Email =>
  receiptEmail({
    debtorName: debt.debtorName,
    debtorIsCompany: isCnpj(debt.debtorTaxId),
    creditorName: debt.clientName,
    amountCentavos: paidCentavos,
    method,
    protocol,
    downloadUrl: document.url,
    verifyUrl,
    rightsUrl,
    publicUrl,
    sandbox: debt.sandbox,
  });

async function attempt(
  mailer: Mailer,
  { letter, mail, to }: { readonly letter: ReceiptLetter; readonly mail: Email; readonly to: string },
  { id, now }: { readonly id: string; readonly now: number },
): Promise<Outcome> {
  const { debt, document } = letter;
  const context = { clientId: debt.clientId, debtId: debt.id, purpose: 'receipt', at: new Date(now) };
  try {
    await mailer.send({ id, to, ...mail, document, context });
    return 'sent';
  } catch (error) {
    if (!(error instanceof MailerError) || error.kind === 'unknown_outcome') return 'unknown';
    return error.kind === 'rejected' ? 'failed' : 'failed_for_now';
  }
}

export interface DeliveryRequest {
  readonly clientId: string;
  readonly debtId: string;
  readonly clock: DebtClock;
}

/**
 * Issues the receipt of a settled debt and makes every delivery that is due: one after the confirmation, and one for
 * each request of the client. The receipts of the parts that came before are issued too; nobody is sent them. The function
 * is idempotent. It returns what the workflow does next.
 */
export const deliverReceipt =
  (deps: DeliveryDeps) =>
  async ({ clientId, debtId, clock }: DeliveryRequest): Promise<KnowingStep> => {
    const issued = await issueReceipt(deps)({ clientId, debtId });
    if (issued !== null) await deliver(deps, issued, clientId, clock);
    await issuePartReceipts(deps, { clientId, debtId });
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
    // The payment may have gone back since the receipt was read, and another one may have settled the debt.
    await refuseOutdatedDeliveries(tx, { debtId: debt.id, receiptId: issued.receipt.id });
    const due = await dueDeliveries(tx, debt.id, new Date(now));
    const letter = due.length === 0 ? null : await readLetter(tx, deps, debt, issued.receipt.id);
    if (letter === null) return null;
    const candidates = due.some(({ way }) => way === 'message') ? await candidatesByPhone(tx, deps, debt) : null;
    return { letter, due, now, candidates };
  });
  if (ready === null) return;
  const { letter, due, now, candidates } = ready;
  const send = (delivery: Delivery) =>
    candidates !== null && delivery.way === 'message'
      ? sendByMessage(deps, letter, delivery, { candidates, now })
      : sendByEmail(deps, letter, delivery, now);
  await Promise.all(due.map(send));
}

/** Marks deliveries as unknown whose attempt crashed after booking: they may or may not have been sent. */
async function closeEarlierAttempts(tx: Tx, debt: DebtContext, protocol: string, now: number): Promise<void> {
  for (const delivery of await markBookedUnknown(tx, debt.id)) {
    if (delivery.way === 'email') {
      await recordEntries(tx, debt.id, now, [emailSent(protocol, 'unknown')]);
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
  const senders = await sendersToPhone(tx, deps, debt);
  if (senders.length > 0) await insertDelivery(tx, { ...request, way: 'message' });
  const hasEmail = await hasDebtorEmail(tx, debt.id);
  if (hasEmail && deps.mailerOf(debt) !== null) await insertDelivery(tx, { ...request, way: 'email' });
}
