import { type Mailer, MailerError } from '../../../kernel/ports/mailer.ts';
import { isCnpj } from '../../../kernel/tax-id.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { loadDebt, lockDebts } from '../../debts/use-cases/debt-context.ts';
import { recordEvents } from '../../debts/use-cases/record-events.ts';
import {
  bookDelivery,
  type Delivery,
  emailsOfDebt,
  setDeliveryState,
  setEmailInUse,
} from '../queries/receipt-deliveries.ts';
import { receiptEmail } from '../texts/receipt-email.ts';
import { deliveryRetryAt } from './delivery-retry.ts';
import type { DeliveryDeps } from './deps.ts';
import type { ReceiptLetter } from './receipt-letter.ts';
import { suppressionsOf } from './send-by-message.ts';

type Outcome = 'sent' | 'unknown' | 'failed' | 'failed_for_now';

/** Books and sends the e-mail once. An e-mail that may have been sent is not repeated. */
export async function sendByEmail(
  deps: DeliveryDeps,
  letter: ReceiptLetter,
  delivery: Delivery,
  now: number,
): Promise<void> {
  const { debt, debtorEmail } = letter;
  const mailer = deps.mailerOf(debt);
  const db = deps.db.tenant(debt.clientId);
  const booked = await db.transactional(async (tx) => {
    const suppressions = await suppressionsOf(tx, deps, (await loadDebt(tx, debt.id, { forUpdate: true })) ?? debt);
    if (mailer === null || debtorEmail === null || suppressions.optedOut || suppressions.wrongPerson) {
      await setDeliveryState(tx, delivery.id, { from: 'waiting', state: 'refused' });
      return undefined;
    }
    return bookDelivery(tx, delivery.id);
  });
  if (booked === undefined || mailer === null || debtorEmail === null) return;
  const outcome = await attempt(mailer, letter, debtorEmail, { id: delivery.id, now });
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
    await recordEvents(tx, debt.id, now, [emailSent(letter.protocol, state)]);
  });
}

/** The mail server refuses the address, so the next one takes over. Returns false when none is left. */
async function useNextEmail(tx: Tx, debtId: string, refused: string, at: number): Promise<boolean> {
  const emails = (await emailsOfDebt(tx, debtId)) ?? [];
  const from = emails.indexOf(refused);
  const next = emails[from + 1];
  if (from === -1 || next === undefined || !(await setEmailInUse(tx, debtId, { refused, next }))) return false;
  const data = { field: 'debtorEmail', reason: 'undeliverable', from, to: from + 1 };
  await recordEvents(tx, debtId, at, [{ kind: 'debt_changed', data }]);
  return true;
}

export const emailSent = (protocol: string, delivery: 'sent' | 'unknown' | 'failed') => ({
  kind: 'email_sent' as const,
  data: { purpose: 'receipt', protocol, delivery },
});

async function attempt(
  mailer: Mailer,
  letter: ReceiptLetter,
  to: string,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<Outcome> {
  const { debt, document, protocol, verifyUrl, paidCentavos, method } = letter;
  const mail = receiptEmail({
    debtorName: debt.debtorName,
    debtorIsCompany: isCnpj(debt.debtorCpf),
    creditorName: debt.clientName,
    amountCentavos: paidCentavos,
    method,
    protocol,
    downloadUrl: document.url,
    verifyUrl,
    sandbox: debt.sandbox,
  });
  const context = { clientId: debt.clientId, debtId: debt.id, purpose: 'receipt', at: new Date(now) };
  try {
    await mailer.send({ id, to, ...mail, document, context });
    return 'sent';
  } catch (error) {
    if (!(error instanceof MailerError) || error.kind === 'unknown_outcome') return 'unknown';
    return error.kind === 'rejected' ? 'failed' : 'failed_for_now';
  }
}
