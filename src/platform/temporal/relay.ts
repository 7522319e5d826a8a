import type { Logger } from 'pino';
import { batchJobId } from '../../../workflows/ids.ts';
import type { OutboxRow, OutboxStore } from '../../kernel/ports/outbox-store.ts';
import type { Gateway } from './gateway.ts';
import { GatewayError, toGatewayError } from './gateway-error.ts';
import { retryDelayMs } from './retry-delay.ts';

export type RelayGateway = Pick<Gateway, 'start' | 'signal' | 'signalWithStart' | 'batchSignal'>;

export interface RelayMetrics {
  /** `waitedSeconds` counts from the moment at which the row was due. */
  delivered(kind: OutboxRow['kind'], waitedSeconds: number): void;
  failed(kind: OutboxRow['kind'], parked: boolean): void;
}

export interface RelayOptions {
  readonly store: OutboxStore;
  readonly gateway: RelayGateway;
  readonly logger: Logger;
  readonly metrics?: RelayMetrics;
  readonly pollMs?: number;
  /** With more than 8 deliveries at a time, workflow starts per second do not increase. */
  readonly inFlight?: number;
  readonly purgeEveryMs?: number;
  /** The clock by which rows are due. */
  readonly now?: () => Date;
}

export interface Relay {
  /** Makes the relay read the outbox now instead of at the next poll, because a row was written. */
  wake(): void;
  /** Leases no more rows and waits for the deliveries in progress. */
  stop(): Promise<void>;
}

/** A permanent failure is tried again after this time, because an operator may have removed its cause meanwhile. */
const PARKED_MS = 60 * 60 * 1000;
const KEEP_DELIVERED_MS = 24 * 60 * 60 * 1000;

/** Delivers each outbox row to Temporal at least once; Temporal's ids make a repeated delivery have no effect. */
export function startRelay(options: RelayOptions): Relay {
  const { store, gateway, logger, metrics, pollMs = 1_000, inFlight = 8 } = options;
  const { purgeEveryMs = 10 * 60 * 1000, now = () => new Date() } = options;
  const running = new Set<Promise<void>>();
  let stopping = false;
  let woken = false;
  let more = false;
  let endPause: () => void = () => undefined;
  let nextPurge = Date.now() + purgeEveryMs;

  function wake(): void {
    woken = true;
    endPause();
  }

  async function pause(ms: number): Promise<void> {
    if (woken || stopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function deliver(row: OutboxRow): Promise<void> {
    try {
      await send(gateway, row);
    } catch (error) {
      const { code, message, permanent } = toGatewayError(error);
      const retryMs = permanent ? PARKED_MS : retryDelayMs(row.attempts, Math.random());
      await store.failed(row.id, permanent ? `parked: ${message}` : message, new Date(now().getTime() + retryMs));
      metrics?.failed(row.kind, permanent);
      const facts = { outboxId: row.id, workflowId: row.workflowId, attempts: row.attempts, code };
      if (permanent) logger.error(facts, 'outbox row parked: its delivery fails until an operator removes the cause');
      else logger.warn({ ...facts, retryMs }, 'outbox row not delivered; the relay will try again');
      return;
    }
    await store.delivered([row]);
    metrics?.delivered(row.kind, Math.max(0, now().getTime() - row.dueAt.getTime()) / 1_000);
  }

  /** What was asked of one workflow takes effect in the order in which it was asked: a hold after a release holds. */
  const lastOf = new Map<string, Promise<void>>();

  function launch(row: OutboxRow): void {
    const before = lastOf.get(row.workflowId);
    // When a row cannot be marked, its lease expires and it is delivered again. Temporal's ids make that harmless.
    const work = (before === undefined ? deliver(row) : before.then(() => deliver(row))).catch((error: unknown) => {
      logger.warn({ outboxId: row.id, error: nameOf(error) }, 'outbox row could not be marked');
    });
    running.add(work);
    lastOf.set(row.workflowId, work);
    void work.finally(() => {
      running.delete(work);
      if (lastOf.get(row.workflowId) === work) lastOf.delete(row.workflowId);
      if (more) wake();
    });
  }

  async function purge(): Promise<void> {
    if (Date.now() < nextPurge) return;
    nextPurge = Date.now() + purgeEveryMs;
    const purged = await store.purge(new Date(now().getTime() - KEEP_DELIVERED_MS));
    if (purged > 0) logger.info({ purged }, 'delivered outbox rows purged');
  }

  async function loop(): Promise<void> {
    let failures = 0;
    while (!stopping) {
      woken = false;
      try {
        const free = inFlight - running.size;
        const rows = free > 0 ? await store.lease(free) : [];
        // As many rows as were asked for mean that more may wait, so the next delivery that ends wakes the relay.
        more = rows.length === free;
        rows.forEach(launch);
        await purge();
        failures = 0;
        await pause(pollMs);
      } catch (error) {
        failures += 1;
        woken = false;
        logger.warn({ error: nameOf(error), failures }, 'the outbox cannot be read');
        await pause(retryDelayMs(failures, Math.random()));
      }
    }
  }

  const looping = loop();
  return {
    wake,
    async stop() {
      stopping = true;
      endPause();
      await looping;
      await Promise.all(running);
    },
  };
}

async function send(gateway: RelayGateway, row: OutboxRow): Promise<void> {
  const { workflow, workflowId, payload } = row;
  switch (row.kind) {
    case 'start':
      await gateway.start({ workflow, workflowId, input: payload });
      return;
    case 'signal':
      // A workflow that is not running has ended, or it will read the current state when it starts.
      await gateway.signal({ workflowId, signal: signalOf(row) });
      return;
    case 'signal_with_start':
      await gateway.signalWithStart({ workflow, workflowId, signal: signalOf(row), input: payload });
      return;
    case 'batch_signal':
      await gateway.batchSignal({ jobId: batchJobId(row.id), workflow, signal: signalOf(row), target: payload });
      return;
    default:
      throw new GatewayError('UNKNOWN_KIND', { permanent: true });
  }
}

function signalOf(row: OutboxRow): string {
  if (row.signal === null) throw new GatewayError('SIGNAL_MISSING', { permanent: true });
  return row.signal;
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'UnknownError');
