import type { Tx } from '../../../platform/database/tx.ts';
import type { DebtContext } from '../queries/debt-context.ts';
import { raiseClockOffset } from '../queries/debts.ts';

export { type DebtContext, keptShareOfDebt, loadDebt, rowsOfDebt } from '../queries/debt-context.ts';
export { lockDebts, lockDebtsOfPerson, lockRowsOfDebt, lockRowsOfDebts } from '../queries/debt-locks.ts';
export { currentRowOf } from '../queries/debts.ts';

/**
 * Returns the row that a visitor of this row's page, or a writer about this row, deals with: the current one. A stranger
 * whose phone was in this row learns nothing of a later one, and nobody deals with the row of another person.
 */
export const rowForDebtor = ({ id, wrongPerson, rowOfPerson }: DebtContext): string => (wrongPerson ? id : rowOfPerson);

/** Whether an import has given the debt of this row another person. */
export const isOfAnother = ({ id, continuedBy, rowOfPerson }: DebtContext): boolean =>
  continuedBy !== null && rowOfPerson === id;

/**
 * Returns a debt as its person may know it. Once it is of another person, nothing is asked of this one, who learns nothing
 * of a payment or a receipt of the other one.
 */
export const asPersonSees = <Debt extends DebtContext>(debt: Debt): Debt =>
  isOfAnother(debt) ? { ...debt, status: 'STOPPED', receiptProtocol: null } : debt;

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
