import type { EntityManager } from '@mikro-orm/postgresql';
import { toReais } from '../../../kernel/money.ts';
import type { NewDebtEvent } from '../../debts/queries/debt-events.ts';
import { isCovered, type PaymentChange, recoveredCentavos } from '../../debts/rules/debt-payments.ts';
import { countInCampaign } from '../../debts/use-cases/campaign-day.ts';
import { recordEvents } from '../../debts/use-cases/record-events.ts';
import { type Charge, storeReturns } from '../queries/charges.ts';
import { type ChangeContext, hasSettled } from './payments-of-debt.ts';
import { type PaymentFacts, storeFirstPayment } from './store-first-payment.ts';

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

export const recordPaymentChange = (
  em: EntityManager,
  charge: Pick<Charge, 'id' | 'debtId'>,
  at: number,
  data: NewDebtEvent['data'],
): Promise<void> =>
  recordEvents(em, charge.debtId, at, [{ kind: 'payment_changed', data: { paymentId: charge.id, ...data } }]);

/** Records and shows a refund, a chargeback or its reversal. The status of the debt stays, and nobody is contacted. */
async function storeReturned(
  { em, deps, known, momentOf }: ChangeContext,
  charge: Charge,
  { payment, refunded, chargeback }: PaymentChange,
): Promise<void> {
  const { refundedCentavos, reportedAt } = payment;
  const isNewer = reportedAt !== (charge.providerUpdatedAt?.getTime() ?? null);
  if (!refunded && chargeback === null && !isNewer) return;
  await storeReturns(em, charge.id, {
    refundedCentavos,
    chargedBackAt: chargeback === null ? charge.chargedBackAt : chargeback === 'made' ? deps.now() : null,
    providerUpdatedAt: reportedAt === null ? null : new Date(reportedAt),
  });
  const record = (data: NewDebtEvent['data']) =>
    recordPaymentChange(em, { ...charge, debtId: known.current.id }, momentOf(known.current), data);
  if (refunded) await record({ change: 'refunded', refundedAmount: toReais(refundedCentavos) });
  if (chargeback === 'made') await record({ change: 'charged_back' });
  if (chargeback === 'reversed') await record({ change: 'chargeback_reversed' });
}

/** A payment counts for the campaign in which the debt counts. Payments of a debt that has just been settled count together. */
async function countRecovered({ em, known }: ChangeContext, charge: Charge, change: PaymentChange): Promise<void> {
  for (const payment of change.debt.payments) {
    const before = known.payments.payments.find(({ id }) => id === payment.id);
    const counted = before === undefined ? 0 : recoveredCentavos(known.payments, before);
    const recovered = recoveredCentavos(change.debt, payment) - counted;
    const approved = payment.id === charge.id && change.outcome === 'settled' ? 1 : 0;
    if (recovered === 0 && approved === 0) continue;
    await countInCampaign(em, known.current, {
      paymentsApproved: approved,
      recoveredCentavos: recovered,
    });
  }
}

/** The receipt is valid while the payments that did not go back cover the debt. */
async function keepReceiptTrue({ em, deps, known }: ChangeContext, change: PaymentChange): Promise<void> {
  // A debt that has just been settled has no receipt yet.
  if (!known.payments.settled) return;
  const stands = isCovered(change.debt);
  if (stands === isCovered(known.payments)) return;
  const reason = change.chargeback === 'made' ? 'chargeback' : 'refund';
  for (const { id } of known.charges.filter(hasSettled)) {
    await (stands ? deps.receipts.restore(em, id, deps.now()) : deps.receipts.revoke(em, id, reason, deps.now()));
  }
}
