import type { EntityManager } from '@mikro-orm/postgresql';
import { raiseClockOffset } from '../queries/debts.ts';

export {
  currentRowForDebtor,
  currentRowOf,
  type DebtContext,
  loadDebt,
  lockDebts,
  lockDebtsOfPerson,
  lockRowsOfDebt,
  rowsOfDebt,
} from '../queries/debts.ts';

/** Stores the workflow's clock offset on the debt, for events from outside the workflow. The offset never decreases. */
export async function keepClock(
  em: EntityManager,
  debt: { readonly id: string; readonly clockOffsetMs?: number },
  offsetMs: number,
): Promise<void> {
  if (offsetMs <= (debt.clockOffsetMs ?? 0)) return;
  await raiseClockOffset(em, debt.id, offsetMs);
}
