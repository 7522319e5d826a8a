import { toReais } from '../../../kernel/money.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import {
  isCovered,
  type PaymentChange,
  type PaymentOutcome,
  recoveredCentavos,
} from '../../debts/rules/debt-payments.ts';
import type { TimelineEntry } from '../../debts/rules/timeline-entry.ts';
import { countInCampaign } from '../../debts/use-cases/campaign-day.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { moveDebt } from '../../debts/use-cases/move-debt.ts';
import { moveOtherRows } from '../../debts/use-cases/move-other-rows.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { keptCentavos } from '../../terms/rules/credits.ts';
import { type Charge, confirmCharge, storeReturns } from '../queries/charges.ts';
import { type ChangeContext, hasSettled } from './payments-of-debt.ts';

/** What is known of a payment beside its amounts. */
interface PaymentFacts {
  /** When the money came; null when that is not known. */
  readonly paidAt: Date | null;
  readonly endToEndId: string | null;
}

type FirstChange = PaymentChange & { readonly outcome: PaymentOutcome };

/** Stores a payment that is seen first. It runs once for each charge, because the charge stores the paid amount. */
async function storeFirstPayment(
  context: ChangeContext,
  charge: Charge,
  change: FirstChange,
  { paidAt, endToEndId }: PaymentFacts,
): Promise<void> {
  const { tx, deps, known } = context;
  const { outcome } = change;
  const { paidCentavos } = change.payment;
  const earlierCentavos = known.payments.payments.reduce((sum, payment) => sum + keptCentavos(payment), 0);
  const confirmedAt = deps.now();
  const settledCentavos = outcome === 'settled' ? paidCentavos + earlierCentavos : null;
  await confirmCharge(tx, charge.id, { outcome, confirmedAt, paidCentavos, paidAt, endToEndId, settledCentavos });
  // What a code of an earlier row brings belongs to the debt as it is now.
  const row = known.current;
  // The workflow of the charge's own row handles the payment. That of the current row cancels codes and ends.
  if (charge.debtId !== row.id) await addOutbox(tx, deps.workflows.wakeDebt(row, 'paymentNoticed'));
  const payment = {
    paymentId: charge.id,
    amount: toReais(paidCentavos),
    ...(charge.method === null ? {} : { method: charge.method, paidAt: (paidAt ?? confirmedAt).toISOString() }),
  };
  if (outcome === 'duplicate') {
    // The payments before it went back, so this one pays the debt and is not to be refunded.
    const covers = !isCovered(known.payments) && isCovered(change.debt) ? { covers: true as const } : {};
    await record(context, row, { kind: 'payment_duplicate', ...payment, ...covers });
  } else if (outcome === 'underpaid') {
    const open = known.payments.amountCentavos - earlierCentavos;
    // A replaced code may ask for another amount than the debt by now.
    const expected = charge.method === null && charge.supersededAt === null ? charge.amountCentavos : open;
    const expectedAmount = toReais(expected);
    await hold(context, { kind: 'payment_changed', ...payment, problem: 'underpaid', expectedAmount });
  } else {
    const over = paidCentavos + earlierCentavos - known.payments.amountCentavos;
    const overpaid = over > 0 ? { overpaidAmount: toReais(over) } : {};
    await record(context, row, { kind: 'payment_approved', ...payment, ...overpaid });
    await settle(context);
  }
}

/** Nobody is asked again for money that came by another row of the same debt. Its workflow ends and cancels its codes. */
async function settle({ tx, deps, known, momentOf }: ChangeContext): Promise<void> {
  const { current } = known;
  await moveDebt(tx, deps.workflows, current.id, 'paid', momentOf(current));
  const otherRows = known.rows.filter(({ id }) => id !== current.id);
  await moveOtherRows(tx, deps, otherRows, 'paid', 'paymentNoticed');
}

/** A part of the debt was paid, so the client decides how to continue. */
async function hold(context: ChangeContext, entry: TimelineEntry): Promise<void> {
  const { tx, deps, known, momentOf } = context;
  const { current } = known;
  await record(context, current, entry);
  await moveDebt(tx, deps.workflows, current.id, 'underpaid', momentOf(current));
}

const record = ({ tx, momentOf }: ChangeContext, row: DebtContext, entry: TimelineEntry): Promise<void> =>
  recordEntries(tx, row.id, momentOf(row), [entry]);

/** Whether something changed that the debt's workflow has to act on. */
export type Applied = 'changed' | 'unchanged';

/**
 * Stores a change of a payment with everything that follows from it: the status of the debt's rows, the timeline, the
 * figures of the campaigns and the validity of the receipt.
 */
export async function storePaymentChange(
  context: ChangeContext,
  charge: Charge,
  change: PaymentChange,
  facts: PaymentFacts,
): Promise<Applied> {
  const { outcome } = change;
  if (outcome !== null) await storeFirstPayment(context, charge, { ...change, outcome }, facts);
  await storeReturned(context, charge, change);
  await countRecovered(context, charge, change);
  await keepReceiptTrue(context, change);
  return outcome !== null || change.refunded || change.chargeback !== null ? 'changed' : 'unchanged';
}

/** Records and shows a refund, a chargeback or its reversal. The status of the debt stays, and nobody is contacted. */
async function storeReturned(
  context: ChangeContext,
  charge: Charge,
  { payment, refunded, chargeback }: PaymentChange,
): Promise<void> {
  const { tx, deps, known } = context;
  const { refundedCentavos, reportedAt } = payment;
  const isNewer = reportedAt !== (charge.providerUpdatedAt?.getTime() ?? null);
  if (!refunded && chargeback === null && !isNewer) return;
  await storeReturns(tx, charge.id, {
    refundedCentavos,
    chargedBackAt: chargeback === null ? charge.chargedBackAt : chargeback === 'made' ? deps.now() : null,
    providerUpdatedAt: reportedAt === null ? null : new Date(reportedAt),
  });
  const changed = { kind: 'payment_changed', paymentId: charge.id } as const;
  const { current } = known;
  if (refunded) {
    await record(context, current, { ...changed, change: 'refunded', refundedAmount: toReais(refundedCentavos) });
  }
  if (chargeback === 'made') await record(context, current, { ...changed, change: 'charged_back' });
  if (chargeback === 'reversed') await record(context, current, { ...changed, change: 'chargeback_reversed' });
}

/** A payment counts for the campaign in which the debt counts. Payments of a debt that has just been settled count together. */
async function countRecovered({ tx, known }: ChangeContext, charge: Charge, change: PaymentChange): Promise<void> {
  for (const payment of change.debt.payments) {
    const before = known.payments.payments.find(({ id }) => id === payment.id);
    const counted = before === undefined ? 0 : recoveredCentavos(known.payments, before);
    const recovered = recoveredCentavos(change.debt, payment) - counted;
    const approved = payment.id === charge.id && change.outcome === 'settled' ? 1 : 0;
    if (recovered === 0 && approved === 0) continue;
    await countInCampaign(tx, known.current, {
      paymentsApproved: approved,
      recoveredCentavos: recovered,
    });
  }
}

/** The receipt is valid while the payments that did not go back cover the debt. */
async function keepReceiptTrue({ tx, deps, known }: ChangeContext, change: PaymentChange): Promise<void> {
  // A debt that has just been settled has no receipt yet.
  if (!known.payments.settled) return;
  const stands = isCovered(change.debt);
  if (stands === isCovered(known.payments)) return;
  const reason = change.chargeback === 'made' ? 'chargeback' : 'refund';
  for (const { id } of known.charges.filter(hasSettled)) {
    await (stands ? deps.receipts.restore(tx, id, deps.now()) : deps.receipts.revoke(tx, id, reason, deps.now()));
  }
}
