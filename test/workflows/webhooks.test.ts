import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import type { Activities } from '../../activities/contract.ts';
import { createGateway } from '../../src/platform/temporal/gateway.ts';
import { startWorker } from '../../src/platform/temporal/worker.ts';
import { opened } from '../../testing/opened.ts';
import { webhookWorkflowId } from '../../workflows/ids.ts';
import { LIMITS } from './support/fixture.ts';

const address = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
const target = { address, namespace: 'default' };
const connection = await opened(Connection.connect({ address }));
const client = new Client({ connection });

it('begins a new history also while news come at every moment, as in a busy campaign', async () => {
  const taskQueue = `webhooks-${randomUUID()}`;
  const gateway = createGateway({ ...target, taskQueue, consoleUrl: 'https://quita.example' });
  await gateway.ensureSearchAttributes();
  const webhookId = randomUUID();
  const workflowId = webhookWorkflowId(webhookId);
  let calls = 0;
  const activities = {
    deliverDue: async () => {
      calls += 1;
      if (calls === 20) return { waitMs: null };
      await gateway.signal({ workflowId, signal: 'deliveriesDue' });
      // Makes the history long enough for Temporal to suggest a new one.
      return { waitMs: 250, padding: 'x'.repeat(500_000) };
    },
  } satisfies Partial<Activities>;
  const worker = startWorker({
    ...target,
    taskQueue,
    workerId: 'w',
    bundle: { codePath: process.env['TEST_WORKFLOW_BUNDLE'] ?? '' },
    activities: activities as unknown as Activities,
    limits: LIMITS,
    logger: pino({ level: 'silent' }),
  });
  const input = { clientId: randomUUID(), webhookId };
  await gateway.signalWithStart({ workflow: 'deliver-webhooks', workflowId, signal: 'deliveriesDue', input });
  const workflow = client.workflow.getHandle(workflowId);
  await workflow.result();
  const { runId, raw } = await workflow.describe();
  await worker.shutdown();
  await gateway.close();
  expect(runId).not.toBe(raw.workflowExecutionInfo?.firstRunId);
  expect(calls).toBe(20);
});
