import type { Tx } from '../../../platform/database/tx.ts';
import { raiseClockOffset } from '../queries/debts.ts';

export { type DebtContext, loadDebt, rowsOfDebt } from '../queries/debt-context.ts';
export { lockDebts, lockDebtsOfPerson, lockRowsOfDebt, lockRowsOfDebts } from '../queries/debt-locks.ts';
export { currentRowForDebtor, currentRowOf } from '../queries/debts.ts';

/** Stores the workflow's clock offset on the debt, for events from outside the workflow. The offset never decreases. */
export async function keepClock(
  tx: Tx,
  debt: { readonly id: string; readonly clockOffsetMs?: number },
  offsetMs: number,
): Promise<void> {
  if (offsetMs <= (debt.clockOffsetMs ?? 0)) return;
  await raiseClockOffset(tx, debt.id, offsetMs);
}
