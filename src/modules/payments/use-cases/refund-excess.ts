import { randomUUID } from 'node:crypto';
import { toReais } from '../../../kernel/money.ts';
import { readAgreement, type StoredAgreement } from '../../agreements/queries/agreements.ts';
import { closedCentavos } from '../../debts/rules/debt-payments.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { type Charge, chargesOfDebt, readCharge } from '../queries/charges.ts';
import { insertRefund, refundsExcess, refundsOfCharges } from '../queries/refunds.ts';
import { paymentsOf } from '../rules/known-debt.ts';
import { leftToRefund } from '../rules/refunds.ts';
import { type ChangeContext, knownDebt, lockPayments, type PaymentsOfDebt, rowOf } from './apply-report.ts';
import { keptOf } from './credit-debts.ts';
import { wakeForRefund } from './wake-for-refund.ts';

/**
 * Stores a refund of what is more than was owed, where the client wants that, once: when the payment is seen first. The debt
 * is locked, and `known` is as it was before the payment. Money that came elsewhere never comes here.
 */
export async function refundExcess(context: ChangeContext, known: PaymentsOfDebt, before: Charge): Promise<void> {
  const { tx, deps, momentOf } = context;
  const { rows, current } = known;
  if (before.paidCentavos > 0) return;
  const charge = await readCharge(tx, before.id);
  if (charge === undefined || charge.paidCentavos === 0) return;
  const excessCentavos = await excessOf(context, known, charge);
  if (excessCentavos <= 0 || !(await refundsExcess(tx, current.clientId))) return;
  const left = leftToRefund(charge, await refundsOfCharges(tx, [charge.id]));
  const excess = Math.min(excessCentavos, left);
  if (excess <= 0) return;
  const now = deps.now();
  const refundId = randomUUID();
  await insertRefund(tx, {
    id: refundId,
    clientId: current.clientId,
    debtId: charge.debtId,
    chargeId: charge.id,
    kind: 'excess',
    state: 'pending',
    amountCentavos: excess,
    reason: null,
    askedBy: null,
    askAt: now,
    createdAt: now,
  });
  await recordEntries(tx, charge.debtId, momentOf(rowOf(rows, charge)), [
    { kind: 'payment_changed', paymentId: charge.id, change: 'refund_asked', refundId, amount: toReais(excess) },
  ]);
  await wakeForRefund(tx, deps, charge);
}

/**
 * What of a payment was not owed: what it has not closed of the debt. Others of a later day may be credited after it, so that
 * the whole debt is compared with what it was before. Money of an agreement pays the next instalments, so that nothing is
 * too much before all that was agreed is paid.
 */
async function excessOf(context: ChangeContext, before: PaymentsOfDebt, charge: Charge): Promise<number> {
  if (charge.agreementId === null) {
    const charges = await chargesOfDebt(context.tx, before.current.id);
    return keptOf(charge) - closedSince(context, { ...before, charges }, before.charges);
  }
  const agreement = await readAgreement(context.tx, charge.agreementId);
  if (agreement === undefined || agreement.status === 'ACTIVE') return 0;
  if (agreement.status !== 'COMPLETED') return excessAfterEnd(context, agreement, charge);
  const agreed = agreement.instalments.reduce((sum, { amountCentavos }) => sum + amountCentavos, 0);
  return agreement.payments.reduce((sum, { amountCentavos }) => sum + amountCentavos, 0) - agreed;
}

/** What the payments have closed of a debt beyond what these have. */
function closedSince({ deps }: ChangeContext, debt: PaymentsOfDebt, before: readonly Charge[]): number {
  const closedBy = (charges: readonly Charge[]): number =>
    closedCentavos(paymentsOf(knownDebt(deps, { ...debt, charges })));
  return Math.max(0, closedBy(debt.charges) - closedBy(before));
}

/**
 * What has closed nothing of any debt of an agreement that was broken or cancelled. A part that gives up the rest is what was
 * open of the agreed share, so that it counts whole, and what it gives up was not paid.
 */
async function excessAfterEnd(
  context: ChangeContext,
  { debts }: Pick<StoredAgreement, 'debts'>,
  charge: Charge,
): Promise<number> {
  let owed = 0;
  for (const { debtId } of debts) {
    const debt = await lockPayments(context.tx, debtId);
    // Of a debt that is not there any more nobody knows whether the money was owed.
    if (debt === null) return 0;
    const parts = debt.charges.filter(({ partOf }) => partOf === charge.id);
    const before = debt.charges.filter((one) => !parts.includes(one));
    if (closedSince(context, debt, before) === 0 && !before.some(hasGoneBack)) continue;
    if (isRestOpen(debt)) return 0;
    const shares = parts.filter(({ waivesRest }) => waivesRest);
    owed += shares.reduce((sum, part) => sum + keptOf(part), 0) + closedSince(context, debt, [...shares, ...before]);
  }
  return keptOf(charge) - owed;
}

/** The agreed rest is owed again as far as what had paid it went back, also where it was given up. */
const hasGoneBack = ({ refundedCentavos, chargedBackAt }: Charge): boolean =>
  refundedCentavos > 0 || chargedBackAt !== null;

/** Whether an agreement that has ended leaves something owed of the debt. A later one has its own money. */
const isRestOpen = ({ current: { status, agreed } }: PaymentsOfDebt): boolean =>
  status !== 'AGREEMENT' && agreed !== null && agreed.openCentavos > 0;
