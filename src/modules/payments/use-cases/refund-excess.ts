import { randomUUID } from 'node:crypto';
import { toReais } from '../../../kernel/money.ts';
import { readAgreement } from '../../agreements/queries/agreements.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { type Charge, readCharge } from '../queries/charges.ts';
import { insertRefund, refundsExcess, refundsOfCharges } from '../queries/refunds.ts';
import { leftToRefund } from '../rules/refunds.ts';
import { type ChangeContext, type PaymentsOfDebt, rowOf } from './apply-report.ts';
import { keptOf } from './credit-debts.ts';
import { wakeForRefund } from './wake-for-refund.ts';

/**
 * Stores a refund of what is more than was owed, where the client wants that, once: when the payment is seen first. The debt
 * is locked. Money that came elsewhere never comes here.
 */
export async function refundExcess(
  context: ChangeContext,
  { rows, current }: PaymentsOfDebt,
  before: Charge,
): Promise<void> {
  const { tx, deps, momentOf } = context;
  if (before.paidCentavos > 0) return;
  const charge = await readCharge(tx, before.id);
  if (charge === undefined || charge.paidCentavos === 0) return;
  const excessCentavos = await excessOf(context, charge);
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
 * What of a payment was not owed. Money of an agreement pays the next instalments, so that nothing is too much before the
 * agreement is kept.
 */
async function excessOf({ tx }: ChangeContext, charge: Charge): Promise<number> {
  if (charge.agreementId === null) {
    const { principalCentavos, fineCentavos, interestCentavos, correctionCentavos } = charge;
    return keptOf(charge) - principalCentavos - fineCentavos - interestCentavos - correctionCentavos;
  }
  const agreement = await readAgreement(tx, charge.agreementId);
  if (agreement?.status !== 'COMPLETED') return 0;
  const agreed = agreement.instalments.reduce((sum, { amountCentavos }) => sum + amountCentavos, 0);
  return agreement.payments.reduce((sum, { amountCentavos }) => sum + amountCentavos, 0) - agreed;
}
