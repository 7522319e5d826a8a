import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import type { Activities, ReconciliationRun } from '../../activities/contract.ts';
import { createGateway, type Gateway } from '../../src/platform/temporal/gateway.ts';
import { type RunningWorker, startWorker } from '../../src/platform/temporal/worker.ts';
import { opened } from '../../testing/opened.ts';
import { LIMITS } from './support/fixture.ts';
import { keepHistory } from './support/history.ts';

const logger = pino({ level: 'silent' });
const target = { address: process.env['TEST_TEMPORAL_ADDRESS'] ?? '', namespace: 'default' };

let gateway: Gateway;
let worker: RunningWorker;
let runs: number;
let answer: (run: number) => ReconciliationRun;

const connection = await opened(Connection.connect({ address: target.address }));
const client = new Client({ connection });

beforeEach(() => {
  const taskQueue = `reconciliation-${randomUUID()}`;
  gateway = createGateway({ ...target, taskQueue });
  runs = 0;
  const reconcileCharges: Activities['reconcileCharges'] = async () => {
    runs += 1;
    return answer(runs);
  };
  worker = startWorker({
    ...target,
    taskQueue,
    workerId: 'w',
    bundle: { codePath: process.env['TEST_WORKFLOW_BUNDLE'] ?? '' },
    activities: { reconcileCharges } as Partial<Activities> as Activities,
    limits: LIMITS,
    logger,
  });
});
afterEach(async () => {
  await worker.shutdown();
  await gateway.close();
});

async function reconcile(): Promise<{ readonly workflowId: string; readonly result: unknown }> {
  const workflowId = `reconcile-payments-${randomUUID()}`;
  await gateway.start({ workflow: 'reconcile-payments', workflowId, input: {} });
  return { workflowId, result: await client.workflow.getHandle(workflowId).result() };
}

describe('the reconciliation', () => {
  it('ends after a run that leaves nothing due', async () => {
    answer = () => ({ asked: 3, changed: 1, more: false });
    expect((await reconcile()).result).toEqual({ asked: 3, changed: 1 });
    expect(runs).toBe(1);
  });

  it('starts the next run at once while charges are due', async () => {
    answer = (n) => ({ asked: 2, changed: 1, more: n < 3 });
    const { workflowId, result } = await reconcile();
    expect(result).toEqual({ asked: 6, changed: 3 });
    expect(runs).toBe(3);
    await keepHistory(client, workflowId, 'reconcile-payments-three-runs');
  });

  it('ends after half an hour of runs, so that its history stays short', async () => {
    answer = () => ({ asked: 1, changed: 0, more: true });
    expect((await reconcile()).result).toEqual({ asked: 60, changed: 0 });
  });
});
