import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface OutboxState {
  /** Rows that wait for their delivery. */
  readonly pending: number;
  /** How long the oldest of them has been waiting. */
  readonly oldestSeconds: number;
}

export interface PoolState {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface BacklogState {
  readonly tasks: number;
  readonly seconds: number;
}

export interface Metrics {
  /** Other modules register their counters here, because one registry serves all metrics. */
  readonly registry: Registry;
  readonly contentType: string;
  text(): Promise<string>;
  observeRequest(seen: { method: string; route: string; status: number; seconds: number }): void;
}

export interface MetricsOptions {
  /** Called at each scrape. When it fails, the gauges are NaN and the scrape is still answered. */
  readonly outbox?: () => Promise<OutboxState>;
  readonly pools?: Readonly<Record<string, () => PoolState>>;
  /** The tasks that wait for a worker, by kind of work. The call fails while Temporal cannot be reached. */
  readonly backlogs?: () => Promise<Readonly<Record<string, BacklogState>>>;
  /** Prometheus text of the Temporal SDK's runtime, which is appended. The call fails while the text cannot be read. */
  readonly temporal?: () => Promise<string>;
  /** Whether to include memory, CPU and event loop of the process. */
  readonly process?: boolean;
}

function addOutboxGauges(registry: Registry, read: () => Promise<OutboxState>): () => Promise<void> {
  const registers = [registry];
  const pending = new Gauge({ name: 'quita_outbox_pending', help: 'Outbox rows that are not delivered', registers });
  const oldest = new Gauge({
    name: 'quita_outbox_oldest_seconds',
    help: 'Age of the oldest outbox row that is not delivered',
    registers,
  });
  return async () => {
    const state = await read().catch(() => undefined);
    // Keeping the values of the previous scrape would look as if the outbox did not change.
    pending.set(state?.pending ?? Number.NaN);
    oldest.set(state?.oldestSeconds ?? Number.NaN);
  };
}

function addPoolGauges(registry: Registry, pools: Readonly<Record<string, () => PoolState>>): void {
  new Gauge({
    name: 'quita_pg_pool_connections',
    help: 'Connections of a PostgreSQL pool, and requests that wait for one',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, read] of Object.entries(pools)) {
        for (const [state, count] of Object.entries(read())) this.set({ pool, state }, count);
      }
    },
  });
}

/** A scrape is answered also while Temporal cannot be reached. */
const BACKLOG_WAIT_MS = 2_000;

function addBacklogGauges(
  registry: Registry,
  read: () => Promise<Readonly<Record<string, BacklogState>>>,
): () => Promise<void> {
  const registers = [registry];
  const labelNames = ['work'];
  const tasks = new Gauge({
    name: 'quita_task_backlog',
    help: 'Tasks in Temporal that no worker has taken, by kind of work',
    labelNames,
    registers,
  });
  const seconds = new Gauge({
    name: 'quita_task_backlog_seconds',
    help: 'Age of the oldest of these tasks',
    labelNames,
    registers,
  });
  return async () => {
    const { promise: late, resolve } = Promise.withResolvers<Record<string, BacklogState>>();
    const timer = setTimeout(() => resolve({}), BACKLOG_WAIT_MS);
    const states = await Promise.race([read().catch(() => ({})), late]);
    clearTimeout(timer);
    // Without an answer there are no values, because those of the previous scrape would look as if nothing changed.
    tasks.reset();
    seconds.reset();
    for (const [work, state] of Object.entries(states)) {
      tasks.set({ work }, state.tasks);
      seconds.set({ work }, state.seconds);
    }
  };
}

const withoutEnd = (text: string): string => text.replaceAll(/^# EOF\s*$/gm, '').trim();

export function createMetrics(options: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (options.process ?? true) collectDefaultMetrics({ register: registry });
  const readOutbox = options.outbox === undefined ? undefined : addOutboxGauges(registry, options.outbox);
  const readBacklogs = options.backlogs === undefined ? undefined : addBacklogGauges(registry, options.backlogs);
  if (options.pools !== undefined) addPoolGauges(registry, options.pools);

  const durations = new Histogram({
    name: 'quita_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const temporalUp = new Gauge({
    name: 'quita_temporal_metrics_up',
    help: '1 when the metrics of the Temporal runtime could be read',
    registers: options.temporal === undefined ? [] : registers,
  });

  return {
    registry,
    contentType: registry.contentType,
    observeRequest: ({ method, route, status, seconds }) => durations.observe({ method, route, status }, seconds),
    text: async () => {
      const temporal = await options.temporal?.().then(withoutEnd, () => undefined);
      temporalUp.set(temporal === undefined ? 0 : 1);
      await Promise.all([readOutbox?.(), readBacklogs?.()]);
      const own = await registry.metrics();
      return temporal === undefined ? own : `${own.trimEnd()}\n${temporal}\n`;
    },
  };
}
