import { hostname } from 'node:os';
import { createActivities } from '../../../activities/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { startTicker } from '../../platform/runtime/ticker.ts';
import { findWorkflowBundle } from '../../platform/temporal/bundle.ts';
import { type RunningWorker, startWorker } from '../../platform/temporal/worker.ts';
import { createWorkflowRuns } from '../../platform/temporal/workflow-runs.ts';
import { createWorkerServices } from '../services/worker.ts';
import { composeCollection } from './collection.ts';
import { composeEvents } from './events.ts';
import { composeMailer } from './mailer.ts';
import { composeReceipts } from './receipts.ts';
import type { ServiceParts } from './service-parts.ts';

/** A simulated debtor acts within half a second of the message that it answers. */
const SANDBOX_TICK_MS = 150;

export async function openWorker(
  { config, logger, gateway, renderer, understanding, api, closing }: ServiceParts,
  db: Database,
): Promise<RunningWorker> {
  const { address, namespace, apiKey, tls, taskQueue, worker: limits } = config.temporal;
  const workerId = `${process.pid}@${hostname()}`;
  const collection = composeCollection(config, db, logger, () => api.url, understanding);
  const receipts = composeReceipts(config, collection, renderer);
  const services = createWorkerServices({
    ...collection,
    ...receipts,
    mailer: composeMailer(config, db),
    events: composeEvents(config, collection),
    runs: createWorkflowRuns(gateway),
  });
  await services.recordPolicy();
  const debtors = startTicker({
    everyMs: SANDBOX_TICK_MS,
    run: services.playSandboxDebtors,
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
      services,
      clockOffsetMs: config.clockOffset,
      consoleUrl: config.publicUrl,
    }),
    limits,
    logger,
  });
  closing(worker.shutdown);
  return worker;
}
