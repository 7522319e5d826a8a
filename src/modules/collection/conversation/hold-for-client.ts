import type { Tx } from '../../../platform/database/tx.ts';
import type { Forgotten } from '../../debts/rules/timeline-entry.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { moveDebt } from '../../debts/use-cases/move-debt.ts';
import { recordEntries } from '../../debts/use-cases/record-entries.ts';
import { releaseReservations } from '../../messaging/use-cases/contact-ledger.ts';
import type { CollectionDeps } from '../deps.ts';

/** Holds a live debt until the client resumes or withdraws it, and says so on its timeline. */
export async function holdForClient(
  tx: Tx,
  deps: Pick<CollectionDeps, 'workflows' | 'now'>,
  debt: DebtContext,
  forgotten: Forgotten,
): Promise<boolean> {
  const at = debtNow(debt.clockOffsetMs, deps.now().getTime());
  const moved = await moveDebt(tx, deps.workflows, debt.id, 'held', at);
  if (moved === null || moved.from === moved.to) return false;
  await releaseReservations(tx, [debt.id]);
  await recordEntries(tx, debt.id, at, [{ kind: 'needs_person', ...forgotten }]);
  return true;
}
