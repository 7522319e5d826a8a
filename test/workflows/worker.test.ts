import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Context } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { pino } from 'pino';
import { createActivities } from '../../activities/index.ts';
import type { WorkerServices } from '../../src/app/services/worker.ts';
import { findWorkflowBundle, writeWorkflowBundle } from '../../src/platform/temporal/bundle.ts';
import { createGateway, type Gateway } from '../../src/platform/temporal/gateway.ts';
import { sdkMetrics } from '../../src/platform/temporal/sdk-runtime.ts';
import { type RunningWorker, startWorker, type WorkerState } from '../../src/platform/temporal/worker.ts';
import { createWorkerHealth } from '../../src/platform/temporal/worker-health.ts';
import { heartbeatWorkflowId } from '../../workflows/ids.ts';
import { eventually } from './support/eventually.ts';
import { fixtureBundle, LIMITS } from './support/fixture.ts';
import { createTemporalServer, type TemporalServer } from './support/temporal-server.ts';

const PERSONAL = 'Maria da Silva 123.456.789-09';

let bundle: WorkflowBundleOption;
let server: TemporalServer;
let client: Client;
let gateway: Gateway;
let taskQueue: string;
const workers: RunningWorker[] = [];
const gateways: Gateway[] = [];
const lines: string[] = [];
const logger = pino({ level: 'info' }, { write: (line) => lines.push(line) });

/** Each test has a separate task queue, so that it does not see the pollers of another test. */
function useQueue(name: string): void {
  taskQueue = name;
  // On a busy machine a worker may need longer to begin than a call of the product may wait.
  gateway = createGateway({ ...server.target, taskQueue, deadlineMs: 60_000 });
  gateways.push(gateway);
}

const services = {
  purgeExpired: async () => 0,
  sendAccountMail: async () => undefined,
} as Partial<WorkerServices> as WorkerServices;

function start(activities = {}, with_ = bundle): RunningWorker {
  const own = createActivities({ workerId: 'w1', pingDatabase: async () => undefined, services });
  const all = { ...own, ...activities };
  const worker = startWorker({
    ...server.target,
    taskQueue,
    workerId: 'w1',
    bundle: with_,
    activities: all,
    limits: LIMITS,
    logger,
  });
  workers.push(worker);
  return worker;
}

beforeAll(async () => {
  server = await createTemporalServer();
  [bundle] = await Promise.all([fixtureBundle(pino({ level: 'silent' })), server.start()]);
  client = new Client({ connection: await Connection.connect({ address: server.target.address }) });
});

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.shutdown()));
});

afterAll(async () => {
  await Promise.all(gateways.map((each) => each.close()));
  await client?.connection.close();
  await server?.remove();
});

describe('stopping a worker', () => {
  it('lets a running activity end, and reports its result', async () => {
    useQueue('stop');
    let begun: () => void = () => undefined;
    let letGo: () => void = () => undefined;
    const underWay = new Promise<void>((resolve) => {
      begun = resolve;
    });
    let cancelled: Promise<never> = Promise.reject(new Error('not begun'));
    cancelled.catch(() => undefined);
    const slow = async () => {
      ({ cancelled } = Context.current());
      begun();
      const finished = new Promise<string>((resolve) => {
        letGo = () => resolve('kept');
      });
      return Promise.race([finished, cancelled]);
    };
    const worker = start({ slow });
    const handle = await client.workflow.start('waitsForSlow', { taskQueue, workflowId: 'stop-1' });
    await underWay;
    const stopped = worker.shutdown();
    expect(worker.state()).toBe('stopping');
    await expect(Promise.race([cancelled, pause(300, 'left alone')])).resolves.toBe('left alone');
    letGo();
    await stopped;
    expect(worker.state()).toBe('stopped');

    start({ slow: async () => 'done again' });
    expect(await handle.result()).toBe('kept');
  });

  it('ends a worker that never reached Temporal', async () => {
    const options = { namespace: 'default', taskQueue: 'q', workerId: 'w', bundle, limits: LIMITS, logger };
    const activities = createActivities({ workerId: 'w', pingDatabase: async () => undefined, services });
    const worker = startWorker({ ...options, address: '127.0.0.1:1', activities });
    await eventually(() => expect(lines.join('')).toContain('worker cannot reach Temporal'));
    expect(worker.state()).toBe('connecting');
    await worker.shutdown();
    expect(worker.state()).toBe('stopped');
  });

  it('ends a worker that is stopped after it connected and before it runs', async () => {
    useQueue('early');
    let stopped: Promise<void> | undefined;
    // The worker reads the bundle at exactly that moment.
    const telling = {
      get code(): string {
        stopped = worker.shutdown();
        return (bundle as { code: string }).code;
      },
    };
    const worker = start({}, telling);
    await eventually(() => expect(stopped).toBeDefined());
    await stopped;
    expect(worker.state()).toBe('stopped');
  });

  it('reports a failure when the bundle is broken', async () => {
    useQueue('broken');
    const worker = start({}, { code: 'this is not a bundle' });
    await expect(worker.finished).rejects.toThrow();
    expect(worker.state()).toBe('failed');
    workers.pop();
  });
});

describe('health of the worker, seen from another process', () => {
  it('is down without a worker, starting until a heartbeat has completed, and then ok', async () => {
    useQueue('health');
    const workflowId = heartbeatWorkflowId('health-test');
    let ownState: WorkerState | undefined;
    const check = createWorkerHealth({ gateway, heartbeatId: workflowId, ownState: () => ownState });
    expect(await check()).toBe('down');

    let databaseUp = false;
    const pingDatabase = () => (databaseUp ? Promise.resolve() : Promise.reject(new Error('away')));
    start(createActivities({ workerId: 'w1', pingDatabase, services }));
    await eventually(async () => expect(await check()).toBe('starting'));
    await gateway.start({ workflow: 'heartbeat', workflowId, input: {} });
    expect(await check()).toBe('starting');
    databaseUp = true;
    await eventually(async () => expect(await check()).toBe('ok'));
    expect(await gateway.result(workflowId)).toEqual({ worker: 'w1' });
    ownState = 'stopping';
    expect(await check()).toBe('down');
  });
});

describe('the output of a worker', () => {
  it('contains no message of an activity’s error in the history and the log', async () => {
    useQueue('leak');
    lines.length = 0;
    start({
      leak: () =>
        Promise.reject(new Error(`insert into people values ('${PERSONAL}')`, { cause: new Error(PERSONAL) })),
    });
    const handle = await client.workflow.start('leaks', { taskQueue, workflowId: 'leak-1' });
    await expect(handle.result()).rejects.toThrow('Workflow execution failed');
    const history = JSON.stringify(await handle.fetchHistory());
    expect(history).not.toContain('Maria');
    // Payloads are bytes in a history, so the test searches the text of the failure itself.
    expect(history).toContain('"message":"Error"');
    await eventually(() => expect(lines.join('')).toContain('activity attempt failed'));
    expect(lines.join('')).not.toContain('Maria');
  });

  it('includes the metrics of the SDK', async () => {
    useQueue('metrics');
    start();
    await gateway.start({ workflow: 'heartbeat', workflowId: 'metrics-1', input: {} });
    await gateway.result('metrics-1');
    await eventually(async () => {
      const text = await sdkMetrics();
      expect(text).toMatch(/^temporal_workflow_completed_total\{.*task_queue="metrics".*\} 1$/m);
      expect(text).toMatch(/^temporal_activity_execution_latency_seconds_count\{/m);
    });
  });
});

describe('the bundle', () => {
  it('is refused in production unless it was built', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quita-bundle-'));
    try {
      const file = join(folder, 'workflow-bundle.js');
      const silent = pino({ level: 'silent' });
      await expect(findWorkflowBundle({ production: true, logger: silent, file })).rejects.toThrow(
        'bundle-workflows.ts',
      );
      await writeWorkflowBundle(silent, file);
      useQueue('bundle');
      start({}, await findWorkflowBundle({ production: true, logger: silent, file }));
      await gateway.start({ workflow: 'heartbeat', workflowId: 'bundle-1', input: {} });
      expect(await gateway.result('bundle-1')).toEqual({ worker: 'w1' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('the clock in a workflow', () => {
  it('passes three days in three short waits that each end exactly at their moment', async () => {
    useQueue('clock');
    start();
    const input = { clientId: 'c', campaignId: 'k', sandbox: true, maxWaitMs: 20 };
    await gateway.start({ workflow: 'run-campaign', workflowId: 'clock-1', input });
    expect(await client.workflow.getHandle('clock-1').result()).toEqual([1, 2, 3]);
  });
});
