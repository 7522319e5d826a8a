import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { eventually } from '../../../test/workflows/support/eventually.ts';
import { createMemoryOutbox } from '../../../test/workflows/support/memory-outbox.ts';
import { GatewayError } from './gateway-error.ts';
import { type RelayGateway, startRelay } from './relay.ts';
import { retryDelayMs } from './retry-delay.ts';

const logger = pino({ level: 'silent' });

/** Records the calls of a relay; the test may replace `start`. */
function createRecorder(start: RelayGateway['start'] = async () => 'started') {
  const calls: [string, unknown][] = [];
  const gateway: RelayGateway = {
    start: (command) => {
      calls.push(['start', command]);
      return start(command);
    },
    signal: async (command) => {
      calls.push(['signal', command]);
      return 'not_running';
    },
    signalWithStart: async (command) => {
      calls.push(['signalWithStart', command]);
    },
    batchSignal: async (command) => {
      calls.push(['batchSignal', command]);
      return 'already_accepted';
    },
  };
  return { calls, gateway };
}

describe('the relay', () => {
  it('makes the matching call for each kind of row', async () => {
    const store = createMemoryOutbox();
    const { calls, gateway } = createRecorder();
    const common = { workflow: 'collect-debt', workflowId: 'w', payload: { debtId: 'd' } };
    store.add({ ...common, kind: 'start' });
    store.add({ ...common, kind: 'signal', signal: 'stateChanged' });
    store.add({ ...common, kind: 'signal_with_start', signal: 'paymentNoticed' });
    const batch = store.add({ ...common, kind: 'batch_signal', signal: 'stateChanged' });
    const relay = startRelay({ store, gateway, logger });
    await eventually(() => expect(store.undelivered()).toBe(0));
    await relay.stop();
    const { workflow, workflowId, payload: input } = common;
    expect(calls).toEqual([
      ['start', { workflow, workflowId, input }],
      ['signal', { workflowId, signal: 'stateChanged' }],
      ['signalWithStart', { workflow, workflowId, signal: 'paymentNoticed', input }],
      ['batchSignal', { jobId: `batch-${batch}`, workflow, signal: 'stateChanged', target: input }],
    ]);
  });

  it('delivers other rows while one fails or hangs', async () => {
    const store = createMemoryOutbox();
    let release: () => void = () => undefined;
    const { gateway } = createRecorder(async ({ workflowId }) => {
      if (workflowId === 'fails') throw new GatewayError('UNAVAILABLE');
      if (workflowId === 'hangs')
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      return 'started';
    });
    const fails = store.add({ workflow: 'heartbeat', workflowId: 'fails' });
    const hangs = store.add({ workflow: 'heartbeat', workflowId: 'hangs' });
    for (let i = 0; i < 50; i += 1) store.add({ workflow: 'heartbeat', workflowId: `fine-${i}` });
    const relay = startRelay({ store, gateway, logger, pollMs: 60_000 });
    await eventually(() => expect(store.undelivered()).toBe(2));
    expect(store.find(fails)).toMatchObject({ delivered: false, lastError: 'UNAVAILABLE' });
    expect(store.find(hangs).delivered).toBe(false);
    release();
    await relay.stop();
    expect(store.find(hangs).delivered).toBe(true);
  });

  it('delivers what was asked of one workflow in its order, also while the first one takes long or fails', async () => {
    const store = createMemoryOutbox();
    const { calls, gateway } = createRecorder(async () => {
      await new Promise(setImmediate);
      throw new GatewayError('UNAVAILABLE');
    });
    const [first, second] = [
      { workflowId: 'same' },
      { workflowId: 'same', kind: 'signal' as const, signal: 'clockHeld' },
    ];
    store.add({ workflow: 'heartbeat', ...first });
    store.add({ workflow: 'heartbeat', ...second });
    store.add({ workflow: 'heartbeat', workflowId: 'other', kind: 'signal', signal: 'clockHeld' });
    const relay = startRelay({ store, gateway, logger, pollMs: 60_000 });
    await eventually(() => expect(store.undelivered()).toBe(1));
    await relay.stop();
    expect(calls.map(([kind, command]) => `${kind} ${(command as { workflowId: string }).workflowId}`)).toEqual([
      'start same',
      'signal other',
      'signal same',
    ]);
  });

  it('never has more deliveries in progress than the limit', async () => {
    const store = createMemoryOutbox();
    let now = 0;
    let most = 0;
    const { gateway } = createRecorder(async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise(setImmediate);
      now -= 1;
      return 'started';
    });
    for (let i = 0; i < 200; i += 1) store.add({ workflow: 'heartbeat', workflowId: `w-${i}` });
    const relay = startRelay({ store, gateway, logger, inFlight: 8, pollMs: 60_000 });
    await eventually(() => expect(store.undelivered()).toBe(0));
    await relay.stop();
    expect(most).toBe(8);
  });

  it('parks a row that fails permanently for an hour and records the reason', async () => {
    const store = createMemoryOutbox();
    const { gateway } = createRecorder(async () => {
      throw new GatewayError('INVALID_ARGUMENT', { permanent: true, detail: 'WorkflowId length exceeds limit' });
    });
    const seen: boolean[] = [];
    const metrics = { delivered: () => undefined, failed: (_: string, parked: boolean) => void seen.push(parked) };
    const id = store.add({ workflow: 'heartbeat', workflowId: 'w' });
    const noSignal = store.add({ kind: 'signal', workflow: 'heartbeat', workflowId: 'w' });
    const relay = startRelay({ store, gateway, logger, metrics, pollMs: 5 });
    await eventually(() => expect(seen).toEqual([true, true]));
    await relay.stop();
    const { lastError, attempts, availableAt } = store.find(id);
    expect({ lastError, attempts }).toEqual({
      lastError: 'parked: INVALID_ARGUMENT: WorkflowId length exceeds limit',
      attempts: 1,
    });
    expect(availableAt - Date.now()).toBeGreaterThan(3_500_000);
    expect(store.find(noSignal).lastError).toBe('parked: SIGNAL_MISSING');
  });

  it('reads the outbox at once when it is woken', async () => {
    const store = createMemoryOutbox();
    const { gateway } = createRecorder();
    const relay = startRelay({ store, gateway, logger, pollMs: 60_000 });
    await new Promise(setImmediate);
    store.add({ workflow: 'heartbeat', workflowId: 'w' });
    relay.wake();
    await eventually(() => expect(store.undelivered()).toBe(0));
    await relay.stop();
  });

  it('continues after failures of the store, and purges', async () => {
    const store = createMemoryOutbox();
    const { gateway } = createRecorder();
    let away = 2;
    const lease: typeof store.lease = (limit) =>
      away-- > 0 ? Promise.reject(new Error('connection lost')) : store.lease(limit);
    const id = store.add({ workflow: 'heartbeat', workflowId: 'w' });
    const relay = startRelay({ store: { ...store, lease }, gateway, logger, pollMs: 5, purgeEveryMs: 0 });
    await eventually(() => expect(() => store.find(id)).toThrow('no such row'));
    await relay.stop();
  });

  it('leases no more rows after it is stopped, and waits for deliveries in progress', async () => {
    const store = createMemoryOutbox();
    let release: () => void = () => undefined;
    const { gateway, calls } = createRecorder(
      () =>
        new Promise((resolve) => {
          release = () => resolve('started');
        }),
    );
    const id = store.add({ workflow: 'heartbeat', workflowId: 'w' });
    const relay = startRelay({ store, gateway, logger, pollMs: 5 });
    await eventually(() => expect(calls).toHaveLength(1));
    const stopped = relay.stop();
    store.add({ workflow: 'heartbeat', workflowId: 'late' });
    const first = await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, 50, 'still in flight'))]);
    expect(first).toBe('still in flight');
    release();
    await stopped;
    expect(store.find(id).delivered).toBe(true);
    expect(calls).toHaveLength(1);
  });
});

describe('the pause before the next try', () => {
  it('doubles up to 30 s, and is never less than half a step', () => {
    expect([1, 2, 3, 4].map((attempts) => retryDelayMs(attempts, 1))).toEqual([250, 500, 1_000, 2_000]);
    expect(retryDelayMs(1, 0)).toBe(125);
    for (const attempts of [8, 50, 10_000]) {
      expect(retryDelayMs(attempts, 1)).toBe(30_000);
      expect(retryDelayMs(attempts, 0)).toBe(15_000);
    }
  });
});
