import { DAY, localDate, startOfDay } from '../../../kernel/calendar.ts';
import { AppError } from '../../../kernel/errors.ts';
import { areaCodeOf, displayOffset } from '../../../kernel/phone.ts';
import { isRevoked } from '../../../kernel/revoked-reasons.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import { type DebtContext, loadDebt } from '../../debts/use-cases/debt-context.ts';
import { decideReceiptSending, type ReceiptSending } from '../../policy/rules/message-policy.ts';
import { insertDelivery, ownSuppressions, sendingsByMessage } from '../queries/receipt-deliveries.ts';
import type { ReceiptDeps } from './deps.ts';
import { issueReceipt } from './issue-receipt.ts';
import { readSettledPaymentOfDebt } from './read-settled-payments.ts';
import { sendersToPhone, sendingQuestion } from './send-by-message.ts';

export type NotSentReason =
  | Exclude<Extract<ReceiptSending, { send: false }>['reason'], 'too_many'>
  | 'no_channel'
  | 'revoked'
  | 'erased';

export interface RequestedReceipt {
  readonly created: boolean;
  readonly protocol: string;
  readonly debtId: string;
  readonly paymentId: string;
  readonly issuedAt: string;
  readonly templateVersion: number;
  readonly url: string;
  /** True when a delivery to the debtor's phone was requested. */
  readonly sent: boolean;
  /** The moment of sending, when the policy delays it. */
  readonly sendAt?: string;
  readonly reason?: NotSentReason;
  readonly revokedAt?: string;
}

/**
 * Returns the receipt of a paid debt to its creditor, and on request sends it again to the debt's phone and nowhere
 * else.
 */
export const requestReceipt =
  (deps: ReceiptDeps) =>
  async (request: {
    readonly clientId: string;
    readonly debtId: string;
    readonly send: boolean;
    /** The id of the sending. A repetition with the same id sends nothing again. */
    readonly sendingId: string;
    readonly source: RequestSource;
  }): Promise<RequestedReceipt> => {
    const { clientId, debtId, send, sendingId, source } = request;
    const db = deps.db.tenant(clientId);
    const debt = await db.transactional((tx) => loadDebt(tx, debtId));
    if (debt === null) throw new AppError('not_found');
    const issued = await issueReceipt(deps)({ clientId, debtId });
    if (issued === null) throw new AppError('payment_not_confirmed');
    const { protocol, issuedAt, templateVersion, revokedAt } = issued.receipt;
    const entry = { clientId, source, target: protocol, details: { debtId } };
    if (issued.isNew) {
      await db.transactional((tx) => addRequestAudit(tx, { ...entry, action: 'receipt_issued' }));
    }
    const trySending = async (tx: Tx) => {
      const outcome = await requestSending(tx, deps, { debtId, sendingId });
      if (outcome.sent) await addRequestAudit(tx, { ...entry, action: 'receipt_sent' });
      return outcome;
    };
    const sending = send ? await db.transactional(trySending) : { sent: false };
    return {
      created: issued.isNew,
      protocol,
      debtId,
      paymentId: issued.paymentId,
      issuedAt: issuedAt.toISOString(),
      templateVersion,
      url: deps.receiptLinks.downloadUrl(protocol),
      ...sending,
      ...(revokedAt !== null && isRevoked(issued.receipt) ? { revokedAt: revokedAt.toISOString() } : {}),
    };
  };

async function requestSending(
  tx: Tx,
  deps: ReceiptDeps,
  { debtId, sendingId }: { readonly debtId: string; readonly sendingId: string },
): Promise<Pick<RequestedReceipt, 'sent' | 'sendAt' | 'reason'>> {
  // The debt is locked, so that concurrent requests cannot exceed the daily limit.
  const debt = await loadDebt(tx, debtId, { forUpdate: true });
  if (debt === null) throw new AppError('not_found');
  if (debt.erased) return { sent: false, reason: 'erased' };
  // The payment may have gone back since the receipt was issued.
  const receipt = (await readSettledPaymentOfDebt(tx, deps, debtId))?.receipt ?? null;
  if (receipt === null || isRevoked(receipt)) return { sent: false, reason: 'revoked' };
  const now = debtNow(debt.clockOffsetMs, deps.now().getTime());
  // The client may learn only of suppressions that it received itself. The worker checks again by all.
  const suppressions = await ownSuppressions(tx, {
    taxId: debt.debtorTaxId,
    phone: debt.debtorPhone,
    sandbox: debt.sandbox,
  });
  const sendings = await sendingsByMessage(tx, debtId);
  const decision = decideReceiptSending({
    ...(await sendingQuestion(tx, deps, debt, now)),
    ...suppressions,
    onConfirmation: false,
    sendings: sendings.map(({ at }) => at.getTime()),
  });
  if (!decision.send) {
    if (decision.reason === 'too_many') throw tooMany(debt, now);
    return { sent: false, reason: decision.reason };
  }
  const senders = await sendersToPhone(tx, deps, debt);
  if (senders.length === 0) return { sent: false, reason: 'no_channel' };
  await insertDelivery(tx, {
    id: sendingId,
    clientId: debt.clientId,
    debtId,
    receiptId: receipt.id,
    way: 'message',
    onConfirmation: false,
    wishedAt: new Date(now),
    dueAt: new Date(decision.at),
  });
  await addOutbox(tx, deps.workflows.wakeDebt(debt, 'receiptWanted'));
  return { sent: true, ...(decision.at > now ? { sendAt: new Date(decision.at).toISOString() } : {}) };
}

function tooMany(debt: DebtContext, now: number): AppError {
  const offset = displayOffset(areaCodeOf(debt.debtorPhone));
  const tomorrow = startOfDay(localDate(now, offset), offset) + DAY;
  return new AppError('rate_limited', {
    detail: 'This receipt was sent to the debtor as often as a day allows.',
    retryAfterSeconds: Math.ceil((tomorrow - now) / 1000),
  });
}
