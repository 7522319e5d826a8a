import type { RunsDeps } from '../deps.ts';
import { bookedPhoneRequests, webhooksWithWaiting } from '../queries/waiting-without-debt.ts';
import type { RestartDraft } from '../rules/restart-report.ts';
import { startOrWake, type WaitingSearch } from './restart-for-waiting.ts';

/**
 * Starts the workflows of webhooks that have something to post, and of people who are to be asked for the phone. Without
 * it an event waits for the next event of its client, and a stranger is asked by nobody.
 */
export async function restartWithoutDebt(
  deps: RunsDeps,
  report: RestartDraft,
  { wanted, wakeBefore, pause }: WaitingSearch,
): Promise<void> {
  const search = deps.db.system();
  const webhooks = await search.transactional((tx) => webhooksWithWaiting(tx, wanted));
  for (const webhook of webhooks) {
    await pause(0);
    const request = deps.events.workflows.deliver(webhook, null);
    const wake = wakeBefore !== null && webhook.since.getTime() < wakeBefore;
    await startOrWake(deps, report, { request, signal: 'deliveriesDue', wake });
  }
  const requests = await search.transactional((tx) => bookedPhoneRequests(tx, wanted, deps.now()));
  for (const { clientId, requestId } of requests) {
    await pause(0);
    const request = deps.workflows.askForPhone({ clientId, requestId });
    const { kind } = await deps.runs.latest(request.workflowId);
    report.asked += 1;
    if (kind === 'running') report.running += 1;
    // A run that has ended by itself has sent the request, of which a restored database may know nothing.
    if (kind === 'running' || kind === 'ended') continue;
    await deps.runs.start(request);
    report.started += 1;
  }
}
