import { hostname } from 'node:os';
import { createActivities } from '../../activities/index.ts';
import type { Database } from '../db/database.ts';
import { startTicker } from '../runtime/ticker.ts';
import { createCollectionServices } from '../services/collection/index.ts';
import { playSandboxDebtors } from '../services/collection/sandbox-debtors.ts';
import { findWorkflowBundle } from '../temporal/bundle.ts';
import { type RunningWorker, startWorker } from '../temporal/worker.ts';
import { composeCollection } from './collection.ts';
import type { ServiceParts } from './service-parts.ts';
import { composeWorkerUseCases } from './worker-use-cases.ts';

/** What a simulated debtor does comes within half a second of the message that it answers. */
const SANDBOX_TICK_MS = 150;

export async function openWorker(
  { config, logger, renderer, understanding, api, closing }: ServiceParts,
  db: Database,
): Promise<RunningWorker> {
  const { address, namespace, apiKey, tls, taskQueue, worker: limits } = config.temporal;
  const workerId = `${process.pid}@${hostname()}`;
  const deps = composeCollection(config, db, logger, () => api.url, understanding);
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
