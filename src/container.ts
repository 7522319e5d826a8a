import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { createActivities } from '../activities/index.ts';
import { heartbeatWorkflowId } from '../workflows/ids.ts';
import { createThreadRenderer } from './adapters/receipt-renderer/threads/renderer.ts';
import { warmUpRenderer } from './adapters/receipt-renderer/threads/warm-up.ts';
import { composeCollection } from './compose/collection.ts';
import { composeServices } from './compose/services.ts';
import { composeWorkerUseCases } from './compose/worker-use-cases.ts';
import type { Config, Role } from './config/index.ts';
import { type Database, openDatabase } from './db/database.ts';
import type { ServingRole } from './db/entities/tenant-table.ts';
import { startOutboxListener } from './db/listener.ts';
import { mapDbError } from './db/map-db-error.ts';
import { migrate } from './db/migrate.ts';
import { addOutbox, outboxBacklog } from './db/outbox.ts';
import { createApp } from './http/app.ts';
import { startServer } from './http/server.ts';
import { checkReadiness } from './readiness.ts';
import { type Logger, withLogContext } from './runtime/logger.ts';
import { createMetrics } from './runtime/metrics.ts';
import { startTicker } from './runtime/ticker.ts';
import { createCollectionServices } from './services/collection/index.ts';
import { playSandboxDebtors } from './services/collection/sandbox-debtors.ts';
import { findWorkflowBundle } from './temporal/bundle.ts';
import { createGateway, type Gateway } from './temporal/gateway.ts';
import { createOutboxStore } from './temporal/outbox-store.ts';
import { prepareEngine } from './temporal/prepare-engine.ts';
import { startRelay } from './temporal/relay.ts';
import { sdkMetrics } from './temporal/sdk-runtime.ts';
import { type RunningWorker, startWorker } from './temporal/worker.ts';
import { createWorkerHealth } from './temporal/worker-health.ts';
import { VERSION } from './version.ts';

export type HouseConfig = Config & { databaseUrl: string; temporal: { address: string } };

export interface House {
  /** Where the API listens, in a process that has that role. */
  readonly url?: string;
  /** Takes nothing new, lets what is in flight end, then lets go of everything. */
  close(): Promise<void>;
}

/**
 * The only composition root: each role is made of parts that know nothing of each other. `onDeath` is told of a part
 * that ended for good by itself: what is left of the house is of no use, and whoever runs it starts another.
 */
export const createHouse = async (
  config: HouseConfig,
  logger: Logger,
  roles: readonly Role[],
  onDeath: (part: string, error: unknown) => void,
): Promise<House> => {
  const closers: (() => Promise<void>)[] = [];
  const closing = (close: () => Promise<void>): void => void closers.unshift(close);
  const close = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const part of closers.splice(0)) await part().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  try {
    const { worker, ...house } = await furnish(config, logger, roles, closing);
    worker?.finished.catch((error: unknown) => onDeath('the worker', error));
    return { ...house, close };
  } catch (error) {
    await close();
    throw error;
  }
};

/** What a simulated debtor does comes within half a second of the message that it answers. */
const SANDBOX_TICK_MS = 150;
/** What a process without an API of its own has paid, and what a crash left untold, is told by one that has it. */
const BANK_TICK_MS = 500;

/** Known once this process's API listens, if it has one: what plays the bank notifies it as the provider would. */
interface ApiAddress {
  url: string | null;
}

type Renderer = ReturnType<typeof createThreadRenderer>;
type Closing = (close: () => Promise<void>) => void;

async function furnish(
  config: HouseConfig,
  logger: Logger,
  roles: readonly Role[],
  closing: Closing,
): Promise<Omit<House, 'close'> & { worker?: RunningWorker | undefined }> {
  const applied = await migrate(config.databaseUrl);
  if (applied.length > 0) logger.info({ applied }, 'database migrated');

  const { address, namespace, apiKey, tls, taskQueue } = config.temporal;
  const gateway = createGateway({ address, namespace, apiKey, tls, taskQueue });
  closing(gateway.close);
  const databases = openDatabases(config, logger, closing);

  const api: ApiAddress = { url: null };
  const renderer = openRenderer(config, logger, closing);
  let worker: RunningWorker | undefined;
  if (roles.includes('worker')) {
    worker = await openWorker(config, logger, await databases('quita_worker'), api, renderer, closing);
  }
  if (roles.includes('relay')) await openRelay(config, logger, await databases('quita_worker'), gateway, closing);
  if (!roles.includes('api')) return { worker };
  return {
    ...(await openApi(config, logger, await databases('quita_app'), gateway, worker, api, renderer, closing)),
    worker,
  };
}

/** One pool a serving role, however many parts of the process use it. */
function openDatabases(
  config: HouseConfig,
  logger: Logger,
  closing: Closing,
): (role: ServingRole) => Promise<Database> {
  const open = new Map<ServingRole, Promise<Database>>();
  return (role) => {
    const known = open.get(role);
    if (known !== undefined) return known;
    const opening = openDatabase({
      url: config.databaseUrl,
      role,
      poolSize: 20,
      log: (message) => logger.warn({ role }, message),
    });
    closing(async () => (await opening).close());
    open.set(role, opening);
    return opening;
  };
}

/** Threads that draw receipts, for all roles of the process; they start with the first receipt. */
function openRenderer({ nodeEnv }: HouseConfig, logger: Logger, closing: Closing): Renderer {
  const renderer = createThreadRenderer();
  closing(renderer.close);
  // Tests start many houses, most of which draw nothing.
  if (nodeEnv !== 'test') {
    warmUpRenderer(renderer).catch((error: unknown) => logger.warn({ err: error }, 'receipts will begin slowly'));
  }
  return renderer;
}

async function openWorker(
  config: HouseConfig,
  logger: Logger,
  db: Database,
  api: ApiAddress,
  renderer: Renderer,
  closing: Closing,
): Promise<RunningWorker> {
  const { address, namespace, apiKey, tls, taskQueue, worker: limits } = config.temporal;
  const workerId = `${process.pid}@${hostname()}`;
  const deps = composeCollection(config, db, logger, () => api.url);
  const collection = createCollectionServices(deps);
  const debtors = startTicker({
    everyMs: SANDBOX_TICK_MS,
    run: playSandboxDebtors(deps),
    onFailure: (error) => logger.warn({ err: error }, 'simulated debtors could not act'),
  });
  closing(debtors.stop);
  const worker = startWorker({
    address,
    namespace,
    apiKey,
    tls,
    taskQueue,
    workerId,
    bundle: await findWorkflowBundle({ production: config.nodeEnv === 'production', logger }),
    activities: createActivities({
      workerId,
      pingDatabase: db.ping,
      collection,
      ...composeWorkerUseCases(config, db, deps, renderer),
    }),
    limits,
    logger,
  });
  closing(worker.shutdown);
  return worker;
}

async function openRelay(
  config: HouseConfig,
  logger: Logger,
  db: Database,
  gateway: Gateway,
  closing: Closing,
): Promise<void> {
  const engine = prepareEngine({ gateway, logger });
  closing(engine.stop);
  const relay = startRelay({ store: createOutboxStore(db.pool), gateway, logger });
  closing(relay.stop);
  const listener = startOutboxListener({ url: config.databaseUrl, onWork: relay.wake });
  closing(listener.stop);
}

async function openApi(
  config: HouseConfig,
  logger: Logger,
  db: Database,
  gateway: Gateway,
  worker: RunningWorker | undefined,
  api: ApiAddress,
  renderer: Renderer,
  closing: Closing,
): Promise<{ url: string }> {
  const processId = randomUUID();
  const heartbeatId = heartbeatWorkflowId(processId);
  const workerHealth = createWorkerHealth({ gateway, heartbeatId, ownState: () => worker?.state() });
  const metrics = createMetrics({
    outbox: async () => {
      const { depth, oldestSeconds } = await outboxBacklog(db.pool);
      return { pending: depth, oldestSeconds };
    },
    pools: {
      [db.role]: () => ({ total: db.pool.totalCount, idle: db.pool.idleCount, waiting: db.pool.waitingCount }),
    },
    temporal: sdkMetrics,
  });
  const collection = composeCollection(config, db, logger, () => api.url);
  const services = composeServices(config, collection, renderer);
  const app = createApp({
    config: {
      publicUrl: config.publicUrl,
      production: config.nodeEnv === 'production',
      version: VERSION,
      trustProxy: config.trustProxy,
      corsOrigins: config.corsOrigins,
      metricsToken: config.metricsToken,
      signupRatePerMinute: config.signupRatePerMinute,
      publicRatePerMinute: config.publicRatePerMinute,
    },
    logger,
    withLogContext,
    metrics,
    authenticate: services.authenticate,
    services,
    readiness: () => checkReadiness({ database: db.ping, temporal: gateway.ping, worker: workerHealth }),
    mapError: mapDbError,
  });
  const { host, port, publicUrl } = config;
  const server = await startServer(app, { host, port, publicUrl });
  closing(server.close);
  api.url = server.url;
  const bank = startTicker({
    everyMs: BANK_TICK_MS,
    run: collection.payments.bank.deliverDue,
    onFailure: (error) => logger.warn({ err: error }, 'the simulated bank could not notify'),
  });
  closing(bank.stop);
  await db
    .system()
    .transactional((em) =>
      addOutbox(em, { kind: 'start', workflow: 'heartbeat', workflowId: heartbeatId, payload: {} }),
    );
  return { url: server.url };
}
