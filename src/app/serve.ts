import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, ROLES, type Role } from '../platform/config/index.ts';
import { keepServing } from '../platform/http/unhandled-errors.ts';
import { type ChildProgram, connectToParent, startChildProgram } from '../platform/runtime/child-process.ts';
import { isPortFree, takePort } from '../platform/runtime/free-port.ts';
import { limitHeapGrowth } from '../platform/runtime/heap-growth.ts';
import { createLogger, type Logger } from '../platform/runtime/logger.ts';
import type { ProcessMetrics } from '../platform/runtime/metrics.ts';
import { createShutdown, type Shutdown, stopOnSignals } from '../platform/runtime/shutdown.ts';
import { supervise } from '../platform/runtime/supervisor.ts';
import { exitWhenWorkerDies } from '../platform/temporal/exit-when-worker-dies.ts';
import { banner } from './banner.ts';
import { type RunningService, startService } from './container.ts';
import { startInfrastructure } from './infrastructure.ts';
import { explain, loadWithSecrets } from './load-with-secrets.ts';

const ENTRY = fileURLToPath(new URL('./worker-main.ts', import.meta.url));
/** A first start compiles the workflows. */
const READY_WITHIN_MS = 120_000;
/** Longer than the worker's own deadline for activities that have begun. */
const STOP_GRACE_MS = 60_000;

interface WorkerProcess {
  /** Fails while the process is started again. */
  metrics(): Promise<ProcessMetrics>;
  stop(): Promise<void>;
}

/**
 * Runs the worker of `npm start` in a process of its own, so that a busy worker does not delay the API and both use a
 * core each. It is supervised like the servers. The folder is an argument only so that operators see it in a list of
 * processes.
 */
async function startWorkerProcess(dataDir: string, log: (line: string) => void): Promise<WorkerProcess> {
  let current: ChildProgram | undefined;
  const supervised = await supervise({
    name: 'The worker',
    launch: async () => {
      current = await startChildProgram({ file: ENTRY, args: [dataDir], readyWithinMs: READY_WITHIN_MS });
      return current;
    },
    stopGraceMs: STOP_GRACE_MS,
    log,
  });
  return {
    metrics: async () => {
      if (current === undefined) throw new Error('The worker has not started yet');
      return current.metrics();
    },
    stop: supervised.stop,
  };
}

type Log = (line: string) => void;

const portTaken = (port: number, host: string, variable: string): Error =>
  new Error(`Port ${port} on ${host} is taken: stop what listens there, or set ${variable} to another one`);

/** Checks the port first, because a start with a taken port would fail only after minutes of set-up. */
const requireFreePort = async (config: Config, log: Log): Promise<Config> => {
  const { port, host } = config;
  if (port === 0) {
    const free = await takePort({ name: 'API', preferred: 0, host, log });
    return {
      ...config,
      port: free,
      publicUrl: config.publicUrl.replace(/^http:\/\/localhost:0$/, `http://localhost:${free}`),
    };
  }
  if (await isPortFree(port, host)) return config;
  throw portTaken(port, host, 'PORT');
};

/** The API serves the metrics too, so that a process with it needs no second port. */
const requireFreeMetricsPort = async (roles: readonly Role[], config: Config, log: Log): Promise<Config> => {
  const { metricsPort: port, host } = config;
  if (port === undefined) return config;
  if (roles.includes('api')) {
    log('METRICS_PORT is not used: this process serves /metrics and /health/live at the port of its API');
    return { ...config, metricsPort: undefined };
  }
  if (!(await isPortFree(port, host))) throw portTaken(port, host, 'METRICS_PORT');
  return config;
};

interface Start {
  roles: readonly Role[];
  loaded: Config;
  logger: Logger;
  shutdown: Shutdown;
  log: Log;
}

interface StartedService {
  readonly service: RunningService;
  readonly text: string;
}

const start = async ({ roles, loaded, logger, shutdown, log }: Start): Promise<StartedService> => {
  const withPort = await requireFreeMetricsPort(roles, loaded, log);
  const config = roles.includes('api') ? await requireFreePort(withPort, log) : withPort;
  const infrastructure = await startInfrastructure({ config, mayJoin: roles.length < ROLES.length, shutdown, log });
  const { databaseUrl, temporalAddress, temporalUiUrl } = infrastructure;
  const whole = roles.length === ROLES.length;
  // The worker's process finds the servers by what is announced here.
  if (whole) infrastructure.announce(undefined);
  const worker = whole ? startWorkerProcess(resolve(config.dataDir), log) : undefined;
  worker?.then(({ stop }) => shutdown.add('the worker', stop)).catch(() => {});
  const service = await startService(
    { ...config, databaseUrl, temporal: { ...config.temporal, address: temporalAddress } },
    logger,
    whole ? roles.filter((role) => role !== 'worker') : roles,
    {
      onWorkerDeath: exitWhenWorkerDies(logger, shutdown, (code) => process.exit(code)),
      ...(worker === undefined ? {} : { workerMetrics: async () => (await worker).metrics() }),
    },
  );
  shutdown.add('the service', service.close);
  await worker;
  infrastructure.announce(service.url);
  const seconds = (performance.now() / 1_000).toFixed(1);
  return { service, text: banner({ config, url: service.url, temporalUiUrl, seconds }) };
};

export interface ServeOptions {
  /** Another process of this program has started this one, writes the banner and stops it. */
  readonly hasParent?: boolean;
}

/** The worker of `npm start` has a process of its own too. */
const isWorkerOnly = (roles: readonly Role[]): boolean => roles.length === 1 && roles[0] === 'worker';

/** Runs the roles until a signal comes. */
export const serve = async (roles: readonly Role[], { hasParent = false }: ServeOptions = {}): Promise<void> => {
  let logger: Logger | undefined;
  // Before the configuration is loaded and outside production, lines are written for people; production logs JSON.
  const log = (line: string) => {
    if (hasParent) return;
    if (logger === undefined) process.stdout.write(`${line}\n`);
    else logger.info(line.trim());
  };
  const shutdown = createShutdown(log);
  stopOnSignals(shutdown.close, log);
  let service: RunningService | undefined;
  const readMetrics = async () => service?.metrics.forOtherProcess();
  const parent = hasParent
    ? connectToParent(readMetrics, () => void shutdown.close().then((clean) => process.exit(clean ? 0 : 1)))
    : undefined;
  try {
    const given = loadWithSecrets(roles);
    // The parent serves the metrics of this process together with its own.
    const loaded = hasParent ? { ...given, metricsPort: undefined } : given;
    const production = loaded.nodeEnv === 'production';
    const serviceLogger = createLogger({ level: production ? 'info' : 'warn', pretty: process.stdout.isTTY });
    if (production) logger = serviceLogger;
    const { heapGrowthPercent } = loaded.temporal.worker;
    if (isWorkerOnly(roles) && heapGrowthPercent !== null) limitHeapGrowth(heapGrowthPercent);
    const started = await start({ roles, loaded, logger: serviceLogger, shutdown, log });
    service = started.service;
    // A worker is started again by its parent or by the platform, and its activities are repeated.
    if (roles.includes('api')) keepServing(serviceLogger);
    log(started.text);
    parent?.ready();
  } catch (error) {
    // A stop during the start makes steps of the start fail; these errors are expected and not reported.
    if (shutdown.requested()) return;
    process.stderr.write(`${explain(error)}\n`);
    await shutdown.close();
    process.exit(1);
  }
};
