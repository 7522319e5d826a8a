import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { pino } from 'pino';
import type { Activities } from '../../activities/contract.ts';
import { createGateway, type Gateway } from '../../src/temporal/gateway.ts';
import { type Relay, startRelay } from '../../src/temporal/relay.ts';
import { type RunningWorker, startWorker } from '../../src/temporal/worker.ts';
import { heartbeatWorkflowId } from '../../workflows/ids.ts';
import { eventually } from './support/eventually.ts';
import { fixtureBundle, LIMITS } from './support/fixture.ts';
import { createMemoryOutbox } from './support/memory-outbox.ts';
import { createTemporalServer, type TemporalServer } from './support/temporal-server.ts';

const logger = pino({ level: 'silent' });
const taskQueue = 'relay-test';
const ids = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => heartbeatWorkflowId(`${prefix}-${i}`));

let bundle: WorkflowBundleOption;
let server: TemporalServer;
let gateway: Gateway;
let worker: RunningWorker;
let beats: number;
let relays: Relay[];

beforeAll(async () => {
  bundle = await fixtureBundle(logger);
}, 60_000);

beforeEach(async () => {
  server = await createTemporalServer();
  gateway = createGateway({ ...server.target, taskQueue, deadlineMs: 2_000 });
  beats = 0;
  relays = [];
  const heartbeat = async () => {
    beats += 1;
    return { worker: 'w1' };
  };
  const activities = { heartbeat } as Activities;
  worker = startWorker({ ...server.target, taskQueue, workerId: 'w1', bundle, activities, limits: LIMITS, logger });
}, 30_000);

afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()));
  await worker.shutdown();
  await gateway.close();
  await server.remove();
}, 30_000);

const relayOf = (
  store: ReturnType<typeof createMemoryOutbox>,
  via: Parameters<typeof startRelay>[0]['gateway'] = gateway,
) => {
  const relay = startRelay({ store, gateway: via, logger, pollMs: 50 });
  relays.push(relay);
  return relay;
};

const allCompleted = (workflowIds: readonly string[]) =>
  eventually(async () => {
    const states = await Promise.all(workflowIds.map((id) => gateway.describe(id)));
    expect(states.map((state) => state?.status)).toEqual(workflowIds.map(() => 'COMPLETED'));
  }, 30_000);

describe('each outbox row becomes one run', () => {
  it('when it was written while the engine was down', async () => {
    const store = createMemoryOutbox();
    const [workflowId] = ids('down', 1) as [string];
    const id = store.add({ workflow: 'heartbeat', workflowId });
    relayOf(store);
    await eventually(() =>
      expect(store.find(id)).toMatchObject({ delivered: false, lastError: expect.stringContaining('UNAVAILABLE') }),
    );
    expect(worker.state()).toBe('connecting');

    await server.start();
    await allCompleted([workflowId]);
    await eventually(() => expect(store.undelivered()).toBe(0));
    expect(beats).toBe(1);
  }, 60_000);

  it('when the engine crashes and comes back between', async () => {
    const store = createMemoryOutbox();
    await server.start();
    const before = ids('before', 5);
    for (const workflowId of before) store.add({ workflow: 'heartbeat', workflowId });
    relayOf(store);
    await allCompleted(before);

    await server.kill();
    const during = ids('during', 5);
    const rows = during.map((workflowId) => store.add({ workflow: 'heartbeat', workflowId }));
    await eventually(() => expect(rows.every((id) => store.find(id).lastError !== null)).toBe(true));
    await server.start();
    await allCompleted(during);
    expect(beats).toBe(10);
  }, 60_000);

  it('when the relay dies between the start and the mark', async () => {
    await server.start();
    const store = createMemoryOutbox({ leaseMs: 500 });
    const [workflowId] = ids('killed', 1) as [string];
    const id = store.add({ workflow: 'heartbeat', workflowId });
    // A relay that dies is one whose mark never comes.
    const dying = startRelay({
      store: { ...store, delivered: () => Promise.reject(new Error('died')) },
      gateway,
      logger,
      pollMs: 50,
    });
    await allCompleted([workflowId]);
    await dying.stop();
    expect(store.find(id).delivered).toBe(false);

    relayOf(store);
    await eventually(() => expect(store.find(id).delivered).toBe(true));
    expect(store.find(id).attempts).toBeGreaterThan(1);
    expect(beats).toBe(1);
  }, 60_000);

  it('when two relays hand it over at the same time, because a lease ran out', async () => {
    await server.start();
    // A lease of no time at all: both relays see every row again and again.
    const store = createMemoryOutbox({ leaseMs: 0 });
    let starts = 0;
    const counting = {
      ...gateway,
      start: (command: Parameters<Gateway['start']>[0]) => {
        starts += 1;
        return gateway.start(command);
      },
    };
    const workflowIds = ids('two', 40);
    for (const workflowId of workflowIds) store.add({ workflow: 'heartbeat', workflowId });
    relayOf(store, counting);
    relayOf(store, counting);
    await allCompleted(workflowIds);
    await eventually(() => expect(store.undelivered()).toBe(0));
    expect(starts).toBeGreaterThan(40);
    expect(beats).toBe(40);
  }, 60_000);
});
