import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { pino } from 'pino';
import type { Activities } from '../../activities/contract.ts';
import { createGateway } from '../../src/platform/temporal/gateway.ts';
import { startWorker } from '../../src/platform/temporal/worker.ts';
import { createWorkflowRuns } from '../../src/platform/temporal/workflow-runs.ts';
import { opened } from '../../testing/opened.ts';
import { phoneRequestWorkflowId } from '../../workflows/ids.ts';
import { eventually } from './support/eventually.ts';
import { LIMITS } from './support/fixture.ts';

const address = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
const taskQueue = `phones-${randomUUID()}`;
const target = { address, namespace: 'default', taskQueue };
const connection = await opened(Connection.connect({ address }));
const client = new Client({ connection });
const gateway = await opened(createGateway(target));
await gateway.ensureSearchAttributes();

let isBroken: boolean;
const activities = {
  askForPhone: async () => {
    // What the last of all tries ends with, without the half hour before it.
    if (isBroken) throw ApplicationFailure.nonRetryable('ECONNREFUSED');
    return { waitMs: null };
  },
} satisfies Partial<Activities>;
await opened(
  startWorker({
    ...target,
    workerId: 'w',
    bundle: { codePath: process.env['TEST_WORKFLOW_BUNDLE'] ?? '' },
    activities: activities as unknown as Activities,
    limits: LIMITS,
    logger: pino({ level: 'silent' }),
  }),
);

function request() {
  const requestId = randomUUID();
  const workflowId = phoneRequestWorkflowId(requestId);
  const input = { clientId: randomUUID(), requestId };
  return { workflowId, input, handle: client.workflow.getHandle(workflowId) };
}

it('a request for a phone is tried again after all tries have failed, and an operator sees it meanwhile', async () => {
  isBroken = true;
  const { workflowId, input, handle } = request();
  await gateway.start({ workflow: 'ask-for-phone', workflowId, input });
  await eventually(async () =>
    expect((await handle.describe()).searchAttributes['Attention']).toEqual(['NEEDS_OPERATOR']),
  );
  const { status } = await handle.describe();
  expect(status.name).toBe('RUNNING');
  await handle.terminate();
});

it('a request whose run was terminated is started again, and one that has ended by itself is not', async () => {
  isBroken = true;
  const runs = createWorkflowRuns(gateway);
  const { workflowId, input, handle } = request();
  const lost = {
    kind: 'start',
    workflow: 'ask-for-phone',
    workflowId,
    signal: null,
    payload: input,
    dedupeKey: null,
  } as const;
  await runs.start(lost);
  await runs.start(lost);
  expect(await runs.latest(workflowId)).toEqual({ kind: 'running' });
  await handle.terminate();
  expect(await runs.latest(workflowId)).toEqual({ kind: 'broken' });
  isBroken = false;
  await runs.start(lost);
  await handle.result();
  const { runId } = await handle.describe();
  await runs.start(lost);
  expect((await handle.describe()).runId).toBe(runId);
});
