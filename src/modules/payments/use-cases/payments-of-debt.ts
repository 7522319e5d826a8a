import type { Tx } from '../../../platform/database/tx.ts';
import type { DebtPayments } from '../../debts/rules/debt-payments.ts';
import { type DebtContext, lockRowsOfDebt, rowsOfDebt } from '../../debts/use-cases/debt-context.ts';
import { type Charge, chargesOfDebt } from '../queries/charges.ts';
import type { PaymentDeps } from './deps.ts';

/** All rows of one debt with their charges, under the locks of the rows. */
export interface PaymentsOfDebt {
  readonly rows: readonly DebtContext[];
  /** The row that is collected and asked for now. */
  readonly current: DebtContext;
  readonly charges: readonly Charge[];
  readonly payments: DebtPayments;
}

/** A change of a payment is stored in one transaction. */
export interface ChangeContext {
  readonly tx: Tx;
  readonly deps: Pick<PaymentDeps, 'workflows' | 'now' | 'receipts'>;
  /** What was stored before the change. */
  readonly known: PaymentsOfDebt;
  /** Returns the present moment by the clock of a row. */
  readonly momentOf: (row: DebtContext) => number;
}

/** Returns whether this payment has settled its debt. The debt's receipt belongs to it. */
export const hasSettled = ({ status, duplicate, underpaidAt }: Charge): boolean =>
  status === 'APPROVED' && !duplicate && underpaidAt === null;

/** Locks all rows of a debt and returns what was paid by any of them; null when there is no such debt. */
export async function lockPayments(tx: Tx, debtId: string): Promise<PaymentsOfDebt | null> {
  await lockRowsOfDebt(tx, debtId);
  const rows = await rowsOfDebt(tx, debtId);
  const current = rows.find(({ continuedBy }) => continuedBy === null);
  if (current === undefined) return null;
  const charges = await chargesOfDebt(tx, debtId);
  const payments = {
    amountCentavos: current.amountCentavos,
    settled: charges.some(hasSettled) || current.status === 'PAID',
    payments: charges.map(paymentOf),
  };
  return { rows, current, charges, payments };
}

export function rowOf(rows: readonly DebtContext[], { debtId }: Pick<Charge, 'debtId'>): DebtContext {
  const row = rows.find(({ id }) => id === debtId);
  if (row === undefined) throw new Error(`The charges of debt ${debtId} were read without the debt`);
  return row;
}

const paymentOf = (charge: Charge): DebtPayments['payments'][number] => ({
  id: charge.id,
  paidCentavos: charge.paidCentavos,
  refundedCentavos: charge.refundedCentavos,
  chargedBack: charge.chargedBackAt !== null,
  reportedAt: charge.providerUpdatedAt?.getTime() ?? null,
});
