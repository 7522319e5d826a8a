import { randomUUID } from 'node:crypto';
import { toReais } from '../../../kernel/money.ts';
import { readAgreement, type StoredAgreement } from '../../agreements/queries/agreements.ts';
import { closedCentavos } from '../../debts/rules/debt-payments.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { type Charge, chargesOfDebt, readCharge } from '../queries/charges.ts';
import { insertRefund, refundsExcess, refundsOfCharges } from '../queries/refunds.ts';
import { paymentsOf } from '../rules/known-debt.ts';
import { leftToRefund } from '../rules/refunds.ts';
import { type ChangeContext, knownDebt, type PaymentsOfDebt, rowOf } from './apply-report.ts';
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
async function excessOf({ tx, deps }: ChangeContext, before: PaymentsOfDebt, charge: Charge): Promise<number> {
  if (charge.agreementId === null) {
    const closedBy = (charges: readonly Charge[]): number =>
      closedCentavos(paymentsOf(knownDebt(deps, { ...before, charges })));
    const charges = await chargesOfDebt(tx, before.current.id);
    return keptOf(charge) - Math.max(0, closedBy(charges) - closedBy(before.charges));
  }
  const agreement = await readAgreement(tx, charge.agreementId);
  if (agreement === undefined || !isPrice(agreement)) return 0;
  const agreed = agreement.instalments.reduce((sum, { amountCentavos }) => sum + amountCentavos, 0);
  return agreement.payments.reduce((sum, { amountCentavos }) => sum + amountCentavos, 0) - agreed;
}

/** Whether nobody asks for more than was agreed, although the agreement has ended. */
const isPrice = ({ status, afterBreach }: StoredAgreement): boolean =>
  status === 'COMPLETED' || (status === 'BROKEN' && afterBreach === 'keep');
