import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import type { Activities } from '../../activities/contract.ts';
import { addOutboxRows } from '../../src/platform/database/add-outbox.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createGateway, type Gateway } from '../../src/platform/temporal/gateway.ts';
import { createOutboxStore } from '../../src/platform/temporal/outbox-store.ts';
import { type Relay, startRelay } from '../../src/platform/temporal/relay.ts';
import { type RunningWorker, startWorker } from '../../src/platform/temporal/worker.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { opened } from '../../testing/opened.ts';
import { heartbeatWorkflowId } from '../../workflows/ids.ts';
import { eventually } from './support/eventually.ts';
import { fixtureBundle, LIMITS } from './support/fixture.ts';
import { createTemporalServer, type TemporalServer } from './support/temporal-server.ts';

const DYING_RELAY = fileURLToPath(new URL('./fixtures/dying-relay.ts', import.meta.url));
const logger = pino({ level: 'silent' });
const taskQueue = 'relay-test';
const ids = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => heartbeatWorkflowId(`${prefix}-${i}`));

const bundle = await fixtureBundle(logger);
const database = await opened(createTestDatabase());
const db = await opened(openDatabase({ url: database.url, role: 'quita_worker' }));
let server: TemporalServer;
let gateway: Gateway;
let worker: RunningWorker;
let beats: number;
let relays: Relay[];

beforeEach(async () => {
  await db.pool.query('delete from outbox');
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
});

afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()));
  await worker.shutdown();
  await gateway.close();
  await server.remove();
});

const relayOf = (via: Parameters<typeof startRelay>[0]['gateway'] = gateway) => {
  const relay = startRelay({ store: createOutboxStore(db.pool), gateway: via, logger, pollMs: 50 });
  relays.push(relay);
  return relay;
};

const write = (workflowIds: readonly string[]) =>
  db.system().transactional((tx) =>
    addOutboxRows(
      tx,
      workflowIds.map((workflowId) => ({ kind: 'start', workflow: 'heartbeat', workflowId, payload: {} })),
    ),
  );

interface Stored {
  attempts: number;
  delivered: boolean;
  last_error: string | null;
}

const stored = async (): Promise<Stored[]> =>
  (await db.pool.query<Stored>('select attempts, delivered_at is not null as delivered, last_error from outbox')).rows;

const allDelivered = () => eventually(async () => expect((await stored()).filter((row) => !row.delivered)).toEqual([]));

/** The lease of half a minute is too long for a test. */
const leasesRunOut = () => db.pool.query('update outbox set available_at = now() where delivered_at is null');

const allCompleted = (workflowIds: readonly string[]) =>
  eventually(async () => {
    const states = await Promise.all(workflowIds.map((id) => gateway.describe(id)));
    expect(states.map((state) => state?.status)).toEqual(workflowIds.map(() => 'COMPLETED'));
  });

describe('each outbox row becomes one run', () => {
  it('when it was written while Temporal was down', async () => {
    const workflowIds = ids('down', 1);
    await write(workflowIds);
    relayOf();
    await eventually(async () =>
      expect(await stored()).toMatchObject([{ delivered: false, last_error: expect.stringContaining('UNAVAILABLE') }]),
    );
    expect(worker.state()).toBe('connecting');

    await server.start();
    await allCompleted(workflowIds);
    await allDelivered();
    expect(beats).toBe(1);
  });

  it('when Temporal crashes and restarts in between', async () => {
    await server.start();
    const before = ids('before', 5);
    await write(before);
    relayOf();
    await allCompleted(before);

    await server.kill();
    const during = ids('during', 5);
    await write(during);
    await eventually(async () => expect((await stored()).filter((row) => row.last_error !== null)).toHaveLength(5));
    await server.start();
    await allCompleted(during);
    await allDelivered();
    expect(beats).toBe(10);
  });

  it('when the relay is killed between the start and the mark', async () => {
    await server.start();
    const workflowIds = ids('killed', 1);
    await write(workflowIds);
    const env = { ...process.env, TARGET: JSON.stringify({ ...server.target, taskQueue }), DATABASE: database.url };
    const dying = spawn(process.execPath, [DYING_RELAY], { env, stdio: 'ignore' });
    expect(await once(dying, 'exit')).toEqual([null, 'SIGKILL']);
    await allCompleted(workflowIds);
    expect(await stored()).toMatchObject([{ delivered: false, attempts: 1 }]);

    relayOf();
    await leasesRunOut();
    await allDelivered();
    expect(await stored()).toMatchObject([{ attempts: 2 }]);
    expect(beats).toBe(1);
  });

  it('when two relays deliver it at the same time, because its lease has expired', async () => {
    await server.start();
    const workflowIds = ids('two', 40);
    let starts = 0;
    // Each start is delayed until every lease has expired, so that the other relay claims the same rows.
    const slow = {
      ...gateway,
      start: async (command: Parameters<Gateway['start']>[0]) => {
        starts += 1;
        if (starts <= 16) await eventually(() => expect(starts).toBeGreaterThan(8));
        await leasesRunOut();
        return gateway.start(command);
      },
    };
    await write(workflowIds);
    relayOf(slow);
    await eventually(() => expect(starts).toBe(8));
    await leasesRunOut();
    relayOf(slow);
    await allCompleted(workflowIds);
    await allDelivered();
    expect(starts).toBeGreaterThan(40);
    expect(beats).toBe(40);
  });

  it('when two relays run concurrently, and each row is delivered once', async () => {
    await server.start();
    let starts = 0;
    const counting = {
      ...gateway,
      start: (command: Parameters<Gateway['start']>[0]) => {
        starts += 1;
        return gateway.start(command);
      },
    };
    const workflowIds = ids('side', 40);
    relayOf(counting);
    relayOf(counting);
    await write(workflowIds);
    await allCompleted(workflowIds);
    await allDelivered();
    expect(starts).toBe(40);
    expect(beats).toBe(40);
  });
});
