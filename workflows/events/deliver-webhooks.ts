import { continueAsNew, patched, setHandler, workflowInfo } from '@temporalio/workflow';
import { createClock } from '../clock.ts';
import { deliveriesDue, type WebhookInput } from '../contract.ts';
import { deliveriesOf } from '../proxies.ts';
import { VERSIONS } from '../versions.ts';

/** Posts the events of one webhook as they become due, and ends when nothing waits. A signal starts it again. */
export async function deliverWebhooks(input: WebhookInput): Promise<void> {
  const { clientId, webhookId } = input;
  const clock = createClock({ offsetMs: 0, maxWaitMs: null });
  const { deliverDue } = deliveriesOf(workflowInfo().taskQueue);
  let asked = false;
  setHandler(deliveriesDue, () => {
    asked = true;
  });

  for (;;) {
    asked = false;
    const { waitMs } = await deliverDue({ clientId, webhookId });
    if (asked) {
      if (!workflowInfo().continueAsNewSuggested || !patched(VERSIONS.newHistoryDespiteNews)) continue;
    } else {
      if (waitMs === null) return;
      await clock.waitUntil(clock.now() + waitMs, () => asked, 'Wait for the next attempt, or for news');
    }
    // A signal that came meanwhile means nothing more than the first question of the next run.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof deliverWebhooks>({ clientId, webhookId });
  }
}
