import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Gateway } from '../../src/platform/temporal/gateway.ts';
import { GatewayError } from '../../src/platform/temporal/gateway-error.ts';
import { restartWorkflowId, webhookWorkflowId } from '../../workflows/ids.ts';

const TRIED_FOR_MS = 60_000;
const PAUSE_MS = 250;

/**
 * Temporal refuses a signal while the workflow is closing, and every call while it is down. The relay tries such a call
 * again, so this does too.
 */
async function untilAccepted(run: () => Promise<unknown>): Promise<void> {
  const deadline = Date.now() + TRIED_FOR_MS;
  for (;;) {
    try {
      await run();
      return;
    } catch (error) {
      if (!(error instanceof GatewayError) || error.permanent || Date.now() > deadline) throw error;
    }
    await sleep(PAUSE_MS);
  }
}

interface WebhookOwner {
  readonly id: string;
  readonly webhookId: string;
}

/** What the operator's command does after a change of the clock: it wakes the debts that are overdue by it. */
export async function wakeOverdue(
  gateway: Pick<Gateway, 'start' | 'signalWithStart'>,
  clients: readonly WebhookOwner[],
): Promise<void> {
  const restart = { workflow: 'restart-lost', workflowId: restartWorkflowId(randomUUID()), input: { atOnce: true } };
  await untilAccepted(() => gateway.start(restart));
  for (const { id: clientId, webhookId } of clients) {
    const deliver = {
      workflow: 'deliver-webhooks',
      workflowId: webhookWorkflowId(webhookId),
      signal: 'deliveriesDue',
      input: { clientId, webhookId },
    };
    await untilAccepted(() => gateway.signalWithStart(deliver));
  }
}
