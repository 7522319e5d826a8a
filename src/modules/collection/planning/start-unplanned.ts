import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import type { CollectionDeps } from '../deps.ts';

/**
 * Starts the workflow of a debt that moved on before its campaign has planned it: a message to the person, or one from
 * the person, was about it too. The campaign's workflow starts queued debts only. `debt` is as it was before.
 */
export async function startUnplanned(
  tx: Tx,
  deps: Pick<CollectionDeps, 'workflows'>,
  debt: DebtContext,
): Promise<void> {
  if (debt.status !== 'QUEUED' || debt.nextContactAt !== null) return;
  await addOutbox(tx, deps.workflows.wakeDebt(debt, 'stateChanged'));
}
