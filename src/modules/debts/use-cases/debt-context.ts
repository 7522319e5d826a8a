import type { Tx } from '../../../platform/database/tx.ts';
import { raiseClockOffset } from '../queries/debts.ts';

export { type DebtContext, keptShareOfDebt, loadDebt, rowsOfDebt } from '../queries/debt-context.ts';
export { lockDebts, lockDebtsOfPerson, lockRowsOfDebt, lockRowsOfDebts } from '../queries/debt-locks.ts';
export { currentRowForDebtor, currentRowOf } from '../queries/debts.ts';

/**
 * Stores the workflow's clock offset on the debt, for events from outside the workflow, and returns the debt with it. The
 * offset never decreases.
 */
export async function keepClock<Debt extends { readonly id: string; readonly clockOffsetMs: number }>(
  tx: Tx,
  debt: Debt,
  offsetMs: number,
): Promise<Debt> {
  if (offsetMs <= debt.clockOffsetMs) return debt;
  await raiseClockOffset(tx, debt.id, offsetMs);
  return { ...debt, clockOffsetMs: offsetMs };
}
