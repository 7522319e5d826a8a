import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import type { Activities } from '../../activities/contract.ts';
import type { OutboxPayload } from '../../src/kernel/ports/outbox-store.ts';
import { bundleWorkflows } from '../../src/platform/temporal/bundle.ts';
import { createGateway } from '../../src/platform/temporal/gateway.ts';
import { startWorker } from '../../src/platform/temporal/worker.ts';
import { opened } from '../../testing/opened.ts';
import { eventually } from './support/eventually.ts';
import { fixtureBundle, LIMITS } from './support/fixture.ts';
import { createTemporalServer } from './support/temporal-server.ts';

const logger = pino({ level: 'silent' });
const taskQueue = 'gateway-test';
const campaign = (campaignId: string, debtId = 'd1') => ({
  clientId: 'c1',
  campaignId,
  debtId,
  sandbox: true,
  maxWaitMs: 1,
});

const server = await createTemporalServer();
await opened({ remove: () => server.remove() });
const [bundle] = await Promise.all([fixtureBundle(logger), server.start()]);
// On a busy machine a worker may need longer to begin than a call of the product may wait.
const gateway = await opened(createGateway({ ...server.target, taskQueue, deadlineMs: 60_000 }));
const activities = { heartbeat: async () => ({ worker: 'w1' }) } as Activities;
await opened(startWorker({ ...server.target, taskQueue, workerId: 'w1', bundle, activities, limits: LIMITS, logger }));

const start = (workflowId: string, campaignId = 'k1') =>
  gateway.start({ workflow: 'collect-debt', workflowId, input: campaign(campaignId) });

const statusOf = async (workflowId: string) => (await gateway.describe(workflowId))?.status;

describe('starts', () => {
  it('starts an id once, while the run is open and after it has ended', async () => {
    expect(await start('once')).toBe('started');
    expect(await start('once')).toBe('already_started');
    expect(await gateway.signal({ workflowId: 'once', signal: 'stateChanged' })).toBe('signalled');
    expect(await gateway.result('once')).toBe('stateChanged');
    expect(await start('once')).toBe('already_started');
  });

  it('answers twenty concurrent starts of one id with one run', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => start('burst')));
    expect(answers.filter((answer) => answer === 'started')).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'already_started')).toHaveLength(19);
  });

  it('fails permanently for a workflow or a signal that does not exist', async () => {
    const wrong = gateway.start({ workflow: 'toString', workflowId: 'wrong', input: {} });
    await expect(wrong).rejects.toMatchObject({ name: 'GatewayError', permanent: true });
    const signal = gateway.signal({ workflowId: 'once', signal: 'nonsense' });
    await expect(signal).rejects.toMatchObject({ permanent: true });
  });

  it('fails permanently for a call that the server calls invalid', async () => {
    const tooLong = start('x'.repeat(2_000));
    await expect(tooLong).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', permanent: true });
  });
});

describe('signals', () => {
  it('reports that no run is open, and does not fail', async () => {
    expect(await gateway.signal({ workflowId: 'nobody', signal: 'stateChanged' })).toBe('not_running');
  });

  it('starts a new run when the last one has ended', async () => {
    const command = { workflow: 'collect-debt', workflowId: 'again', signal: 'paymentNoticed', input: campaign('k2') };
    await gateway.signalWithStart(command);
    expect(await gateway.result('again')).toBe('paymentNoticed');
    const first = await gateway.describe('again');
    await gateway.signalWithStart(command);
    expect(await gateway.result('again')).toBe('paymentNoticed');
    expect((await gateway.describe('again'))?.runId).not.toBe(first?.runId);
  });

  it('carries its cause in the history, and the run that it starts has none', async () => {
    const input = { ...campaign('k3'), cause: 'resumed' };
    await gateway.signalWithStart({ workflow: 'collect-debt', workflowId: 'caused', signal: 'stateChanged', input });
    expect(await gateway.result('caused')).toBe('stateChanged');
    const client = new Client({ connection: await Connection.connect({ address: server.target.address }) });
    const { events } = await client.workflow.getHandle('caused').fetchHistory();
    const texts = (payloads: unknown) => JSON.stringify(payloads ?? []);
    const decoded = (events ?? []).map(({ workflowExecutionSignaledEventAttributes: signalled }) =>
      (signalled?.input?.payloads ?? []).map(({ data }) => JSON.parse(Buffer.from(data ?? '').toString()) as unknown),
    );
    expect(decoded.flat()).toEqual(['resumed']);
    const started = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data;
    expect(texts(JSON.parse(Buffer.from(started ?? '').toString()))).not.toContain('cause');
    await client.connection.close();
  });

  it('reaches every open run of one campaign and none of another', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `batch-a-${index}`);
    await Promise.all(ids.map((id) => start(id, 'batch-a')));
    await start('batch-b-0', 'batch-b');
    const command = { workflow: 'collect-debt', signal: 'stateChanged', target: { campaignId: 'batch-a' } };
    // The visibility index lags behind the starts, so one batch may miss some, and callers send a second one.
    let job = 0;
    await eventually(async () => {
      job += 1;
      expect(await gateway.batchSignal({ ...command, jobId: `job-${job}` })).toBe('accepted');
      await eventually(
        async () => expect(new Set(await Promise.all(ids.map(statusOf)))).toEqual(new Set(['COMPLETED'])),
        5_000,
      );
    }, 50_000);
    expect(await statusOf('batch-b-0')).toBe('RUNNING');
    expect(await gateway.batchSignal({ ...command, jobId: 'job-1' })).toBe('already_accepted');
  });

  it('refuses a batch without a target, or with a target other than an id', async () => {
    const targets: OutboxPayload[] = [{}, { sandbox: true }, { campaignId: "x' OR 'a' = 'a" }, { campaignId: 5 }];
    for (const target of targets) {
      const sent = gateway.batchSignal({ jobId: 'j', workflow: 'collect-debt', signal: 'stateChanged', target });
      await expect(sent).rejects.toMatchObject({ permanent: true });
    }
  });
});

describe('schedules and search attributes', () => {
  it('creates a schedule, and updates an existing one to the command', async () => {
    const client = new Client({ connection: await Connection.connect({ address: server.target.address }) });
    const command = { scheduleId: 's1', workflow: 'heartbeat', workflowId: 'scheduled', input: {}, everyMs: 1_000 };
    const everyMs = async () =>
      (await client.schedule.getHandle('s1').describe()).spec.intervals?.map(({ every }) => every);
    await gateway.ensureSchedule({ ...command, everyMs: 3_600_000 });
    expect(await everyMs()).toEqual([3_600_000]);
    await gateway.ensureSchedule(command);
    expect(await everyMs()).toEqual([1_000]);
    await eventually(async () => {
      const { recentActions } = (await client.schedule.getHandle('s1').describe()).info;
      const ran = recentActions[0]?.action.workflow.workflowId ?? 'none';
      expect(await statusOf(ran)).toBe('COMPLETED');
    });
    await client.schedule.getHandle('s1').pause('an operator paused it');
    await gateway.ensureSchedule({ ...command, everyMs: 3_600_000 });
    expect((await client.schedule.getHandle('s1').describe()).state.paused).toBe(true);
    await client.connection.close();
  });

  it('finds a run by the values of its input, without an upsert', async () => {
    await start('found', 'find-me');
    const client = new Client({ connection: await Connection.connect({ address: server.target.address }) });
    const query = "ClientId = 'c1' AND CampaignId = 'find-me' AND DebtId = 'd1' AND Sandbox = true";
    await eventually(async () => expect((await client.workflow.count(query)).count).toBe(1));
    const { staticSummary } = await client.workflow.getHandle('found').describe();
    expect(await staticSummary()).toBe('Collects one debt until it is paid, stopped or exhausted');
    await client.connection.close();
  });

  it('can add the search attributes repeatedly', async () => {
    await gateway.ensureSearchAttributes();
    await gateway.ensureSearchAttributes();
  });
});

describe('a Temporal server that is down', () => {
  const held = new Set<Socket>();
  let silent: Server;

  beforeAll(async () => {
    silent = createServer((socket) => held.add(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
  });
  afterAll(() => {
    for (const socket of held) socket.destroy();
    silent.close();
  });

  const addressOfSilent = () => {
    const address = silent.address();
    if (address === null || typeof address === 'string') throw new Error('not listening');
    return `127.0.0.1:${address.port}`;
  };

  it.each([
    ['refuses connections', () => '127.0.0.1:1'],
    ['accepts and never answers', addressOfSilent],
  ])('that %s: every call fails within its deadline', async (_, address) => {
    const away = createGateway({ address: address(), namespace: 'default', taskQueue, deadlineMs: 500 });
    const input = campaign('k');
    const calls = [
      away.ping(),
      away.pollers(),
      away.describe('w'),
      away.result('w'),
      away.ensureSearchAttributes(),
      away.start({ workflow: 'collect-debt', workflowId: 'w', input }),
      away.signal({ workflowId: 'w', signal: 'stateChanged' }),
      away.signalWithStart({ workflow: 'collect-debt', workflowId: 'w', signal: 'stateChanged', input }),
      away.batchSignal({ jobId: 'j', workflow: 'collect-debt', signal: 'stateChanged', target: { campaignId: 'k' } }),
      away.ensureSchedule({ scheduleId: 's', workflow: 'heartbeat', workflowId: 'w', input: {}, everyMs: 1_000 }),
    ];
    const started = Date.now();
    for (const answer of await Promise.allSettled(calls)) {
      expect(answer).toMatchObject({ status: 'rejected', reason: { name: 'GatewayError', permanent: false } });
    }
    // Each call has half a second. Without a deadline it would wait for ever.
    expect(Date.now() - started).toBeLessThan(10_000);
    await away.close();
  });
});

it('bundles the product’s own workflows', async () => {
  expect((await bundleWorkflows(logger)).code).toContain('heartbeat');
});
