import { hostname } from 'node:os';
import { createActivities } from '../../../activities/index.ts';
import type { Mailer } from '../../kernel/ports/mailer.ts';
import type { CollectionDeps } from '../../modules/collection/deps.ts';
import { createSandboxMailer } from '../../modules/messaging/adapters/mail-sandbox/sandbox-mailer.ts';
import { createTerminalMailer } from '../../modules/messaging/adapters/mail-sandbox/terminal-mailer.ts';
import { createSandboxOutboxStore } from '../../modules/messaging/queries/sandbox-outbox.ts';
import type { DeliveryDeps, ReceiptDeps } from '../../modules/receipts/use-cases/deps.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { createSmtpMailer } from '../../platform/mail/smtp/smtp-mailer.ts';
import { startTicker } from '../../platform/runtime/ticker.ts';
import { findWorkflowBundle } from '../../platform/temporal/bundle.ts';
import { type RunningWorker, startWorker } from '../../platform/temporal/worker.ts';
import { createWorkflowRuns } from '../../platform/temporal/workflow-runs.ts';
import { createWorkerServices } from '../services/worker.ts';
import { composeCollection } from './collection.ts';
import { composeEvents } from './events.ts';
import type { ServiceParts } from './service-parts.ts';

/**
 * Returns null when e-mail is off. Outside production, mails without a server are stored instead of sent, and `npm start`
 * prints those of accounts.
 */
function composeMailer({ smtpUrl, mailFrom, nodeEnv }: Config, db: Database): Mailer | null {
  if (smtpUrl !== undefined && mailFrom !== undefined) return createSmtpMailer({ url: smtpUrl, from: mailFrom });
  if (nodeEnv === 'production') return null;
  const stored = createSandboxMailer(createSandboxOutboxStore(db));
  return nodeEnv === 'development' ? createTerminalMailer(stored, (text) => process.stdout.write(text)) : stored;
}

/** Composes the dependencies of receipts for a worker. The mail of a sandbox debt never reaches a mail server. */
function composeReceipts(config: Config, collection: CollectionDeps, renderer: ReceiptDeps['renderer']): DeliveryDeps {
  const { db } = collection;
  const mailer = composeMailer(config, db);
  const sandboxMailer = createSandboxMailer(createSandboxOutboxStore(db));
  return { ...collection, renderer, mailerOf: ({ sandbox }) => (sandbox ? sandboxMailer : mailer) };
}

/** A simulated debtor acts within half a second of the message that it answers. */
const SANDBOX_TICK_MS = 150;
/** After an upgrade there is something to do once, and again while a process of the earlier version still sends. */
const EARLIER_TEXTS_TICK_MS = 600_000;

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
    operatorEmail: config.operatorEmail,
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
  const earlierTexts = startTicker({
    everyMs: EARLIER_TEXTS_TICK_MS,
    run: services.keepEarlierTexts,
    onFailure: (error) => logger.warn({ err: error }, 'hashes of earlier messages could not be kept'),
  });
  closing(earlierTexts.stop);
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
