import { addOutboxRows } from '../../../platform/database/add-outbox.ts';
import type { CollectionDeps } from '../deps.ts';
import { resumableDebts } from '../queries/paused-debts.ts';

const DEBTS_PER_RUN = 1_000;

/** Wakes debts that the batch signal of a resumption missed, because Temporal's visibility index lags behind. */
export const wakePaused = (deps: Pick<CollectionDeps, 'db' | 'workflows'>) => async (): Promise<{ woken: number }> => {
  const tx = deps.db.system();
  return tx.transactional(async (tx) => {
    const debts = await resumableDebts(tx, DEBTS_PER_RUN);
    await addOutboxRows(
      tx,
      debts.map((debt) => deps.workflows.wakeDebt(debt, 'stateChanged', 'pause over')),
    );
    return { woken: debts.length };
  });
};
