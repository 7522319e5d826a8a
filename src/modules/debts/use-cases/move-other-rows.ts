import type { DebtTransition } from '../../../kernel/debt-status.ts';
import type { CollectionSignal, CollectionWorkflows } from '../../../kernel/ports/collection-workflows.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { debtNow } from './clock.ts';
import type { DebtContext } from './debt-context.ts';
import { moveLockedDebt } from './move-debt.ts';

interface Deps {
  readonly workflows: CollectionWorkflows;
  readonly now: () => Date;
}

/**
 * What happens to one row of a debt that was imported again happens to its other rows too. Each row that moves is dated
 * by its own clock, and its workflow is signalled. The caller holds the locks of the rows.
 */
export async function moveOtherRows(
  tx: Tx,
  deps: Deps,
  rows: readonly DebtContext[],
  transition: DebtTransition,
  signal: CollectionSignal,
): Promise<void> {
  for (const row of rows) {
    const at = debtNow(row.clockOffsetMs, deps.now().getTime());
    const moved = await moveLockedDebt(tx, deps.workflows, row, transition, at);
    if (moved !== null) await addOutbox(tx, deps.workflows.wakeDebt(row, signal));
  }
}
