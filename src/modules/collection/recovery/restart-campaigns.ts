import { DAY } from '../../../kernel/calendar.ts';
import { completeCampaign } from '../../debts/use-cases/move-debt.ts';
import { campaignsWithWorkflows } from '../queries/lost-workflows.ts';
import type { FoundCampaign } from '../rules/restart-report.ts';
import type { RunsDeps, TakeTurn } from '../runs-deps.ts';

/** The workflow of a campaign that ended longer ago needs nobody: it is found when an operator looks for it. */
const ENDED_WITHIN_MS = 2 * DAY;

interface Search {
  /** Undefined for all campaigns. */
  readonly campaignId: string | undefined;
  readonly now: number;
  readonly marginMs: number;
  readonly takeTurn: TakeTurn;
}

/**
 * Starts the workflows of running campaigns that have none: each plans and starts the debts that are still queued, and
 * waits for the end. Notices ends that were missed, in the database and by a workflow, and imports that a workflow missed.
 */
export async function restartCampaigns(
  deps: RunsDeps,
  { campaignId, now, marginMs, takeTurn }: Search,
): Promise<FoundCampaign[]> {
  const found = await deps.db.system().transactional((em) =>
    campaignsWithWorkflows(em, {
      campaignId: campaignId ?? null,
      changedBefore: new Date(now - marginMs),
      endedSince: new Date(now - ENDED_WITHIN_MS),
    }),
  );
  const done: FoundCampaign[] = [];
  for (const campaign of found) {
    const { id, clientId, status, sandbox, launchedAt, live, unplanned } = campaign;
    await takeTurn(0);
    if (status === 'RUNNING' && !live) {
      await deps.db.tenant(clientId).transactional((em) => completeCampaign(em, deps.workflows, id));
      done.push({ campaignId: id, did: 'completed' });
      continue;
    }
    const ref = { id, clientId, sandbox: sandbox === true };
    const request = deps.workflows.startCampaign(ref, launchedAt ?? new Date(now), { restarted: true });
    const { kind } = await deps.runs.latest(request.workflowId);
    if (status === 'RUNNING' && kind !== 'running') {
      await deps.runs.startOrSignal(request, 'stateChanged');
      done.push({ campaignId: id, did: 'started' });
    }
    if (kind === 'running' && (status !== 'RUNNING' || Boolean(unplanned))) {
      await deps.runs.signal(request.workflowId, 'stateChanged');
      done.push({ campaignId: id, did: status === 'RUNNING' ? 'woken' : 'told' });
    }
  }
  return done;
}
