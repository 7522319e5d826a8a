import type { Tx } from '../../../platform/database/tx.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { moveDebt } from '../../debts/use-cases/move-debt.ts';
import { recordEvents } from '../../debts/use-cases/record-events.ts';
import { releaseReservations } from '../../messaging/use-cases/contact-ledger.ts';
import type { CollectionDeps } from '../deps.ts';

/**
 * Why only the client can say how a debt stands after its database was restored from a backup:
 * - `end_forgotten`: the workflow had ended the debt.
 * - `conversation_forgotten`: the workflow had answered the debtor, or settled a payment.
 */
export type HoldReason = 'end_forgotten' | 'conversation_forgotten';

/** Holds a live debt until the client resumes or withdraws it, and says so on its timeline. */
export async function holdForClient(
  tx: Tx,
  deps: Pick<CollectionDeps, 'workflows' | 'now'>,
  debt: DebtContext,
  reason: HoldReason,
  details: Readonly<Record<string, string | number>> = {},
): Promise<boolean> {
  const at = debtNow(debt.clockOffsetMs, deps.now().getTime());
  const moved = await moveDebt(tx, deps.workflows, debt.id, 'held', at);
  if (moved === null || moved.from === moved.to) return false;
  await releaseReservations(tx, [debt.id]);
  await recordEvents(tx, debt.id, at, [{ kind: 'needs_person', data: { reason, ...details } }]);
  return true;
}
