import {
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type Metric,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import {
  addBacklogGauges,
  addOutboxGauges,
  addPoolGauges,
  addUsageGauges,
  addWorkGauges,
  type BacklogState,
  type OutboxState,
  type PoolState,
  type UsageState,
  type WorkState,
} from './metric-gauges.ts';

type MetricFamily = MetricObjectWithValues<MetricValue<string>>;

/**
 * Returns the text of a registry together with the metrics of another process, whose series get its name as a label. The
 * lines of one metric must stand together, so that the two texts cannot simply follow each other.
 */
async function withOtherProcess(registry: Registry, process: string, others: readonly MetricFamily[]): Promise<string> {
  if (others.length === 0) return registry.metrics();
  const families = new Map((await registry.getMetricsAsJSON()).map((family) => [family.name, family]));
  for (const other of others) {
    const own = families.get(other.name) ?? { ...other, values: [] };
    // A message between processes turns NaN into null.
    const values = other.values.map((value) => ({
      ...value,
      value: value.value ?? Number.NaN,
      labels: { ...value.labels, process },
    }));
    families.set(other.name, { ...own, values: [...own.values, ...values] });
  }
  const together = new Registry();
  for (const family of families.values()) {
    together.registerMetric({ name: family.name, get: async () => family } as unknown as Metric);
  }
  return together.metrics();
}

/** The metrics of one process, for another one that serves them together with its own. */
export interface ProcessMetrics {
  readonly families: readonly MetricFamily[];
  /** Prometheus text of the Temporal SDK's runtime; empty in a process without a worker. */
  readonly temporal: string;
}

export interface Metrics {
  /** Other modules register their counters here, because one registry serves all metrics. */
  readonly registry: Registry;
  readonly contentType: string;
  text(): Promise<string>;
  forOtherProcess(): Promise<ProcessMetrics>;
  observeRequest(seen: { method: string; route: string; status: number; seconds: number }): void;
}

export interface MetricsOptions {
  readonly info?: { readonly version: string; readonly roles: readonly string[] };
  /** Called at each scrape. When it fails, the gauges are NaN and the scrape is still answered. */
  readonly outbox?: (() => Promise<OutboxState>) | undefined;
  readonly pools?: () => Readonly<Record<string, PoolState>>;
  /** The tasks that wait for a worker, by kind of work. The call fails while Temporal cannot be reached. */
  readonly backlogs?: (() => Promise<Readonly<Record<string, BacklogState>>>) | undefined;
  /** What of the product's own work waits. The call fails while the database cannot be reached. */
  readonly work?: (() => Promise<WorkState>) | undefined;
  /** What numbers of WhatsApp have delivered this month. The call fails while the database cannot be reached. */
  readonly usage?: (() => Promise<UsageState>) | undefined;
  /** Prometheus text of the Temporal SDK's runtime, which is appended. The call fails while the text cannot be read. */
  readonly temporal?: () => Promise<string>;
  /** The worker's process where this one serves its metrics too. Its series have the label `process="worker"`. */
  readonly worker?: (() => Promise<ProcessMetrics>) | undefined;
  /** Whether to include memory, CPU and event loop of the process. */
  readonly process?: boolean;
}

const withoutEnd = (text: string): string => text.replaceAll(/^# EOF\s*$/gm, '').trim();

export function createMetrics(options: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (options.process ?? true) collectDefaultMetrics({ register: registry });
  if (options.info !== undefined) addInfo(registry, options.info);
  const readers = [
    options.outbox && addOutboxGauges(registry, options.outbox),
    options.backlogs && addBacklogGauges(registry, options.backlogs),
    options.work && addWorkGauges(registry, options.work),
    options.usage && addUsageGauges(registry, options.usage),
  ];
  if (options.pools !== undefined) addPoolGauges(registry, options.pools);

  const durations = new Histogram({
    name: 'quita_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const hasTemporal = options.temporal !== undefined || options.worker !== undefined;
  const temporalUp = new Gauge({
    name: 'quita_temporal_metrics_up',
    help: '1 when the metrics of the Temporal runtime could be read',
    registers: hasTemporal ? registers : [],
  });
  const readTemporal = async (): Promise<string | undefined> => options.temporal?.().then(withoutEnd, () => undefined);

  return {
    registry,
    contentType: registry.contentType,
    observeRequest: ({ method, route, status, seconds }) => durations.observe({ method, route, status }, seconds),
    text: async () => {
      const worker = await options.worker?.().catch(() => undefined);
      const temporal = options.worker === undefined ? await readTemporal() : worker && withoutEnd(worker.temporal);
      temporalUp.set(temporal === undefined ? 0 : 1);
      await Promise.all(readers.map((read) => read?.()));
      const own = await withOtherProcess(registry, 'worker', worker?.families ?? []);
      return temporal === undefined ? own : `${own.trimEnd()}\n${temporal}\n`;
    },
    forOtherProcess: async () => ({
      families: await registry.getMetricsAsJSON(),
      temporal: (await readTemporal()) ?? '',
    }),
  };
}

function addInfo(registry: Registry, { version, roles }: { version: string; roles: readonly string[] }): void {
  new Gauge({
    name: 'quita_info',
    help: 'Always 1: the version and the roles of the process',
    labelNames: ['version', 'roles'],
    registers: [registry],
  }).set({ version, roles: roles.join(',') }, 1);
}
