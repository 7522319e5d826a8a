import { isLive } from '../../../kernel/debt-status.ts';
import type { DebtTask } from '../../debts/rules/debt-task.ts';
import { loadDebt } from '../../debts/use-cases/debt-context.ts';
import type { CollectionDeps, RunsDeps } from '../deps.ts';
import { holdForClient } from '../gate/hold-debt.ts';
import { knowsEnd } from '../queries/lost-workflows.ts';

type DebtId = Pick<DebtTask, 'clientId' | 'debtId'>;

/** The workflow of a debt that is not launched yet ends after it has answered a message. */
const BEFORE_LAUNCH = 'IMPORTED';

/**
 * Compares a live debt with the status in which its workflow ended by itself, and holds the debt when its timeline has
 * never had that status: the database was restored from a backup, and the debt may be paid. Returns whether it was held.
 */
export const holdAfterEnd =
  (deps: Pick<CollectionDeps, 'db' | 'now' | 'workflows'>) =>
  async ({ clientId, debtId }: DebtId, debtStatus: string | null): Promise<boolean> =>
    deps.db.tenant(clientId).transactional(async (tx) => {
      const debt = await loadDebt(tx, debtId, { forUpdate: true });
      if (debt === null || !isLive(debt.status) || debtStatus === BEFORE_LAUNCH) return false;
      const endedAs = debtStatus ?? 'unknown';
      if (await knowsEnd(tx, debtId, endedAs)) return false;
      return holdForClient(tx, deps, debt, { reason: 'end_forgotten', endedAs });
    });

/** Does the same in the first activity of a run that a signal has started, before anything else happens. */
export const holdIfEnded =
  (deps: RunsDeps) =>
  async ({ clientId, debtId }: DebtId): Promise<void> => {
    const debt = await deps.db.tenant(clientId).transactional((tx) => loadDebt(tx, debtId));
    if (debt === null || !isLive(debt.status)) return;
    const { workflowId } = deps.workflows.wakeDebt(debt, 'stateChanged');
    const earlier = await deps.runs.lastEnded(workflowId);
    if (earlier !== null) await holdAfterEnd(deps)({ clientId, debtId }, earlier.debtStatus);
  };
