import type { Logger } from 'pino';
import { batchJobId } from '../../workflows/ids.ts';
import type { OutboxRow, OutboxStore } from '../ports/outbox-store.ts';
import type { Gateway } from './gateway.ts';
import { GatewayError, toGatewayError } from './gateway-error.ts';
import { retryDelayMs } from './retry-delay.ts';

export type RelayGateway = Pick<Gateway, 'start' | 'signal' | 'signalWithStart' | 'batchSignal'>;

export interface RelayMetrics {
  delivered(kind: OutboxRow['kind']): void;
  failed(kind: OutboxRow['kind'], parked: boolean): void;
}

export interface RelayOptions {
  readonly store: OutboxStore;
  readonly gateway: RelayGateway;
  readonly logger: Logger;
  readonly metrics?: RelayMetrics;
  readonly pollMs?: number;
  /** Starts a second do not rise beyond 8 in flight. */
  readonly inFlight?: number;
  readonly keepDeliveredMs?: number;
  readonly purgeEveryMs?: number;
}

export interface Relay {
  /** Something was written: look now, not at the next poll. */
  wake(): void;
  /** Takes nothing more and waits for what is in flight. */
  stop(): Promise<void>;
}

/** What fails for good is tried again after this long, for the day on which an operator has mended the cause. */
const PARKED_MS = 60 * 60 * 1000;

/** Hands outbox rows to the engine, at least once each; the engine's ids make that once. */
export function startRelay(options: RelayOptions): Relay {
  const { store, gateway, logger, metrics, pollMs = 1_000, inFlight = 8 } = options;
  const { keepDeliveredMs = 24 * 60 * 60 * 1000, purgeEveryMs = 10 * 60 * 1000 } = options;
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
      await store.failed(row.id, permanent ? `parked: ${message}` : message, new Date(Date.now() + retryMs));
      metrics?.failed(row.kind, permanent);
      const facts = { outboxId: row.id, workflowId: row.workflowId, attempts: row.attempts, code };
      if (permanent) logger.error(facts, 'outbox row parked: it fails for good until its cause is mended');
      else logger.warn({ ...facts, retryMs }, 'outbox row not delivered, will be tried again');
      return;
    }
    await store.delivered([row]);
    metrics?.delivered(row.kind);
  }

  function launch(row: OutboxRow): void {
    // A mark that fails leaves the lease to run out: the row comes again, and the engine's ids make that harmless.
    const work = deliver(row).catch((error: unknown) => {
      logger.warn({ outboxId: row.id, error: nameOf(error) }, 'outbox row could not be marked');
    });
    running.add(work);
    void work.finally(() => {
      running.delete(work);
      if (more) wake();
    });
  }

  async function purge(): Promise<void> {
    if (Date.now() < nextPurge) return;
    nextPurge = Date.now() + purgeEveryMs;
    const purged = await store.purge(new Date(Date.now() - keepDeliveredMs));
    if (purged > 0) logger.info({ purged }, 'delivered outbox rows purged');
  }

  async function loop(): Promise<void> {
    let failures = 0;
    while (!stopping) {
      woken = false;
      try {
        const free = inFlight - running.size;
        const rows = free > 0 ? await store.claim(free) : [];
        // A full answer means that more may wait: then the next free place wakes us.
        more = rows.length === free;
        rows.forEach(launch);
        await purge();
        failures = 0;
        await pause(pollMs);
      } catch (error) {
        failures += 1;
        woken = false;
        logger.warn({ error: nameOf(error), failures }, 'outbox cannot be read');
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
      // Not running means that it ended, or has yet to start: then it looks by itself.
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
