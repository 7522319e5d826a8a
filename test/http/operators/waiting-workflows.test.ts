import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { pino } from 'pino';
import type { Activities } from '../../../activities/contract.ts';
import { createGateway } from '../../../src/platform/temporal/gateway.ts';
import { startWorker } from '../../../src/platform/temporal/worker.ts';
import { startApp } from '../../../testing/app.ts';
import { opened } from '../../../testing/opened.ts';
import { until } from '../../../testing/poll.ts';
import { LIMITS } from '../../workflows/support/fixture.ts';
import { openOperators } from './operators.ts';

const target = { address: process.env['TEST_TEMPORAL_ADDRESS'] ?? '', namespace: 'default' };
const taskQueue = `waiting-${randomUUID()}`;
const UI = 'https://temporal.example/ui';

const app = await opened(startApp({ env: { TEMPORAL_UI_URL: `${UI}/` } }));
const { newOperator, as } = await openOperators(app);
// On a busy machine a worker may need longer to begin than a call of the product may wait.
const gateway = await opened(createGateway({ ...target, taskQueue, deadlineMs: 60_000 }));
await gateway.ensureSearchAttributes();

let broken = true;
await opened(
  startWorker({
    ...target,
    taskQueue,
    workerId: 'w',
    bundle: { codePath: process.env['TEST_WORKFLOW_BUNDLE'] ?? '' },
    activities: {
      scoreCampaign: async () => undefined,
      planCollection: async () => {
        if (broken) throw ApplicationFailure.nonRetryable('broken');
        return { debts: [], next: null };
      },
      reviewCampaign: async () => ({ over: true }),
    } as Partial<Activities> as Activities,
    limits: LIMITS,
    logger: pino({ level: 'silent' }),
  }),
);

type Workflows = { readonly count: number; readonly items: { workflowId: string; url: string | null }[] };

it('a workflow that cannot go on is listed with a link into Temporal’s UI, until its cause is removed', async () => {
  const { cookie } = await newOperator();
  const campaignId = randomUUID();
  const workflowId = `campaign-${campaignId}`;
  const listed = async () => {
    const workflows = (await as(cookie, 'GET', '/health')).body['workflows'] as Workflows;
    expect(workflows.count).toBeGreaterThanOrEqual(workflows.items.length);
    return workflows.items.find((item) => item.workflowId === workflowId);
  };
  const input = { clientId: randomUUID(), campaignId, sandbox: true, maxWaitMs: 60, launchedAt: Date.now() };
  await gateway.start({ workflow: 'run-campaign', workflowId, input });
  const { url } = await until('the workflow is listed', listed, { timeoutMs: 120_000 });
  const { runId } = (await gateway.describe(workflowId))!;
  expect(url).toBe(`${UI}/namespaces/default/workflows/${workflowId}/${runId}`);
  broken = false;
  await gateway.signal({ workflowId, signal: 'stateChanged' });
  await gateway.result(workflowId);
  await until('the workflow is gone', async () => (await listed()) === undefined, { timeoutMs: 120_000 });
});
