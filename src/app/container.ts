import type { AddCount } from '../kernel/ports/counts.ts';
import { createThreadRenderer } from '../modules/receipts/adapters/receipt-renderer/threads/renderer.ts';
import { warmUpRenderer } from '../modules/receipts/adapters/receipt-renderer/threads/warm-up.ts';
import type { Role } from '../platform/config/index.ts';
import { type Database, openDatabase } from '../platform/database/database.ts';
import { prepareDatabase } from '../platform/database/prepare-database.ts';
import type { ServingRole } from '../platform/database/tables/tenant-table.ts';
import { currentClient, currentMember, currentRole, type Logger } from '../platform/runtime/logger.ts';
import type { Metrics, ProcessMetrics } from '../platform/runtime/metrics.ts';
import { createGateway } from '../platform/temporal/gateway.ts';
import type { RunningWorker } from '../platform/temporal/worker.ts';
import { openUnderstanding } from './compose/agent.ts';
import { openApi } from './compose/api.ts';
import { createCounters } from './compose/counters.ts';
import { composeMetrics } from './compose/metrics.ts';
import { openMetricsServer } from './compose/metrics-server.ts';
import { openRelay } from './compose/relay.ts';
import type { Renderer, ServiceConfig, ServiceParts } from './compose/service-parts.ts';
import { openWorker } from './compose/worker.ts';

export interface RunningService {
  /** Where the API listens, in a process that has that role. */
  readonly url?: string;
  readonly metrics: Metrics;
  /** Accepts no new work, waits for the work that is in progress, and then closes all connections. */
  close(): Promise<void>;
}

export interface ServiceHooks {
  /** Called when the worker has ended by itself for good. */
  readonly onWorkerDeath: (error: unknown) => void;
  /** The metrics of the worker, when it runs in another process and this one serves them. */
  readonly workerMetrics?: () => Promise<ProcessMetrics>;
}

/**
 * The only composition root. Each role consists of parts that do not depend on each other. `onWorkerDeath` is called when
 * the worker has ended by itself for good. The rest of the service is then of no use, and the caller starts a new process.
 */
export const startService = async (
  config: ServiceConfig,
  logger: Logger,
  roles: readonly Role[],
  { onWorkerDeath, workerMetrics }: ServiceHooks,
): Promise<RunningService> => {
  const closers: (() => Promise<void>)[] = [];
  const closing = (close: () => Promise<void>): void => void closers.unshift(close);
  const close = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const part of closers.splice(0)) await part().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  try {
    const { worker, ...service } = await startRoles({ config, logger, roles, closing, workerMetrics });
    worker?.finished.catch(onWorkerDeath);
    return { ...service, close };
  } catch (error) {
    await close();
    throw error;
  }
};

interface Start extends Pick<ServiceParts, 'config' | 'logger' | 'closing'> {
  readonly roles: readonly Role[];
  readonly workerMetrics: ServiceHooks['workerMetrics'];
}

async function startRoles({
  config,
  logger,
  roles,
  closing,
  workerMetrics,
}: Start): Promise<Omit<RunningService, 'close'> & { worker?: RunningWorker | undefined }> {
  const { address, namespace, apiKey, tls, taskQueue } = config.temporal;
  const gateway = createGateway({ address, namespace, apiKey, tls, taskQueue, consoleUrl: config.publicUrl });
  closing(gateway.close);
  const opened = new Map<ServingRole, Database>();
  const metrics = composeMetrics({ roles, gateway, opened, worker: workerMetrics });
  // It is opened first and so closed last: a process that waits for its database or ends its work is alive.
  if (!roles.includes('api')) await openMetricsServer(config, logger, metrics, closing);
  const applied = await prepareDatabase(config.databaseUrl, { passwords: config.databasePasswords });
  if (applied.length > 0) logger.info({ applied }, 'database migrated');
  const databases = openDatabases(config, logger, { opened, addCount: createCounters(metrics.registry) }, closing);
  const renderer = openRenderer(config, logger, closing);
  const understanding = openUnderstanding(logger);
  closing(understanding.close);
  if (roles.includes('worker'))
    warmUp(config, () => understanding.warmUp(), {
      logger,
      closing,
      otherwise: 'messages will be read slowly at first',
    });
  const parts: ServiceParts = {
    config,
    logger,
    gateway,
    renderer,
    understanding,
    metrics,
    api: { url: null },
    closing,
  };

  const worker = roles.includes('worker') ? await openWorker(parts, await databases('quita_worker')) : undefined;
  if (roles.includes('relay')) await openRelay(parts, await databases('quita_worker'));
  if (!roles.includes('api')) return { worker, metrics };
  return { ...(await openApi(parts, await databases('quita_app'), worker)), worker, metrics };
}

/** Opens one pool for each serving role, because several parts of the process use the same one. */
function openDatabases(
  config: ServiceConfig,
  logger: Logger,
  { opened, addCount }: { readonly opened: Map<ServingRole, Database>; readonly addCount: AddCount },
  closing: ServiceParts['closing'],
): (role: ServingRole) => Promise<Database> {
  return async (role) => {
    const known = opened.get(role);
    if (known !== undefined) return known;
    const db = await openDatabase({
      url: config.databaseUrl,
      role,
      poolSize: 20,
      clockOffsetMs: config.clockOffset,
      addCount,
      ownerOf: currentClient,
      roleOf: currentRole,
      memberOf: currentMember,
      log: (message) => logger.warn({ role }, message),
    });
    closing(db.close);
    opened.set(role, db);
    return db;
  };
}

/** Creates the threads that draw receipts, for all roles of the process. They start with the first receipt. */
function openRenderer(config: ServiceConfig, logger: Logger, closing: ServiceParts['closing']): Renderer {
  const renderer = createThreadRenderer();
  closing(renderer.close);
  warmUp(config, () => warmUpRenderer(renderer), { logger, closing, otherwise: 'receipts will begin slowly' });
  return renderer;
}

/** The threads take all the CPU there is for seconds, which the start of the service needs first. */
const WARM_UP_AFTER_MS = 10_000;

function warmUp(
  { nodeEnv }: ServiceConfig,
  start: () => Promise<void>,
  { logger, closing, otherwise }: Pick<ServiceParts, 'logger' | 'closing'> & { readonly otherwise: string },
): void {
  // Tests start many services, and most of them draw no receipt and read no message.
  if (nodeEnv === 'test') return;
  const timer = setTimeout(() => {
    start().catch((error: unknown) => logger.warn({ err: error }, otherwise));
  }, WARM_UP_AFTER_MS);
  timer.unref();
  closing(async () => clearTimeout(timer));
}
