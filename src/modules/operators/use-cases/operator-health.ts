import { backlogOf, parkedRows, problemsOf } from '../queries/operator-facts.ts';
import type { OperatorDeps } from './deps.ts';

/** What fails, ends or waits over all clients: ids, counts, states and moments. */
export const readOperatorHealth = (deps: OperatorDeps) => async () => {
  const { db, waitingWorkflows, workflowUrl, diskSpace } = deps;
  const [facts, workflows, disk] = await Promise.all([
    db.operators().transactional(async (tx) => ({
      backlog: await backlogOf(tx, null),
      parked: await parkedRows(tx),
      problems: await problemsOf(tx, null),
    })),
    // The rest is worth reading also while Temporal does not answer.
    waitingWorkflows().catch(() => null),
    diskSpace().catch(() => null),
  ]);
  return {
    backlog: facts.backlog,
    parked: facts.parked.map(({ id, workflow, workflowId, createdAt }) => ({
      id,
      workflow,
      workflowId,
      createdAt: createdAt.toISOString(),
    })),
    problems: facts.problems.map(({ kind, clientId, clientName, about, since }) => ({
      kind,
      clientId,
      clientName,
      about,
      since: since.toISOString(),
    })),
    workflows:
      workflows === null
        ? null
        : {
            count: workflows.count,
            items: workflows.some.map((one) => ({ workflowId: one.workflowId, url: workflowUrl(one) })),
          },
    disk,
  };
};
