import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import { MAX_LISTED, type RestartReport, type RestartTask } from '../../src/modules/collection/rules/restart-report.ts';
import { restartSome } from '../proxies.ts';

/** What the runs before have done, when this run continues them. */
interface Continued extends RestartTask {
  readonly soFar?: RestartReport;
}

/**
 * Runs on a schedule, so that a campaign or a collection whose workflow was lost is delayed by minutes but not
 * forgotten. An operator's command runs it too. Each activity starts a limited number of workflows.
 */
export async function restartLost({ soFar, ...task }: Continued): Promise<RestartReport> {
  let report = soFar;
  for (;;) {
    const found = await restartSome(task);
    report = report === undefined ? found : added(report, found);
    if (!found.more) return report;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof restartLost>({ ...task, soFar: report });
  }
}

/** The later activity asks about the same debts again, so only what was done is added up. */
const added = (earlier: RestartReport, later: RestartReport): RestartReport => ({
  ...later,
  woken: earlier.woken + later.woken,
  started: earlier.started + later.started,
  heldCount: earlier.heldCount + later.heldCount,
  held: [...earlier.held, ...later.held].slice(0, MAX_LISTED),
  campaigns: [...earlier.campaigns, ...later.campaigns].slice(0, MAX_LISTED),
});
