import { nextPaymentStatus } from '../../../kernel/payment-status.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { applyState } from '../../debts/rules/debt-payments.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import type { ProviderCharge } from '../ports/payment-provider.ts';
import { type Charge, setChargeStatus } from '../queries/charges.ts';
import { reportProblem, wasPaid } from '../rules/payment-report.ts';
import type { PaymentDeps } from './deps.ts';
import { lockPayments, rowOf } from './payments-of-debt.ts';
import { recordProblem } from './record-problem.ts';
import { type Applied, storePaymentChange } from './store-payment-change.ts';

export interface ReportOnCharge {
  readonly chargeId: string;
  /** A row of the debt that the charge belongs to. */
  readonly debtId: string;
  readonly report: ProviderCharge;
  /** Returns the present moment by the clock of a row. */
  readonly momentOf: (row: DebtContext) => number;
}

/**
 * Applies a provider's report about a charge to the charge and its debt. The report is compared with what is stored,
 * so that a repeated report, or an older one after a newer one, changes nothing.
 */
export async function applyReport(
  tx: Tx,
  deps: Pick<PaymentDeps, 'workflows' | 'now' | 'receipts'>,
  { chargeId, debtId, report, momentOf }: ReportOnCharge,
): Promise<Applied> {
  const known = await lockPayments(tx, debtId);
  const charge = known?.charges.find(({ id }) => id === chargeId);
  if (known === null || charge === undefined) return 'unchanged';
  const at = momentOf(rowOf(known.rows, charge));
  const problem = reportProblem({ reference: charge.id, amountCentavos: charge.amountCentavos }, report);
  if (problem !== null) {
    await recordProblem(tx, charge, problem, at);
    return 'unchanged';
  }
  if (!wasPaid(report)) return await applyUnpaid(tx, charge, report, at);
  const change = applyState(known.payments, charge.id, {
    paidCentavos: report.paidAmountCentavos,
    refundedCentavos: report.refundedCentavos,
    chargedBack: report.chargedBack,
    at: report.updatedAt?.getTime() ?? null,
  });
  if (change === null) return 'unchanged';
  const { paidAt, endToEndId } = report;
  return storePaymentChange({ tx, deps, known, momentOf }, charge, change, { paidAt, endToEndId });
}

async function applyUnpaid(tx: Tx, charge: Charge, report: ProviderCharge, at: number): Promise<Applied> {
  const status = nextPaymentStatus(charge.status, report.status);
  if (status === charge.status) return 'unchanged';
  await setChargeStatus(tx, charge.id, status);
  if (status === 'REJECTED') {
    await recordEntries(tx, charge.debtId, at, [{ kind: 'payment_changed', paymentId: charge.id, status }]);
  }
  return 'unchanged';
}
