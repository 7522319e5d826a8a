import { randomUUID } from 'node:crypto';
import { heartbeatWorkflowId } from '../../../workflows/ids.ts';
import { createRehearsalThreads } from '../../modules/campaigns/adapters/rehearsal/threads/rehearsal-threads.ts';
import { createReplayThreads } from '../../modules/campaigns/adapters/replay/threads/replay-threads.ts';
import { createSpreadsheetReader } from '../../modules/campaigns/adapters/spreadsheet-reader/process/reader.ts';
import { createMailReader } from '../../modules/messaging/adapters/email/threads/mail-reader.ts';
import { addOutbox } from '../../platform/database/add-outbox.ts';
import type { Database } from '../../platform/database/database.ts';
import { mapDbError } from '../../platform/database/map-db-error.ts';
import { readConsole } from '../../platform/http/console.ts';
import { startServer } from '../../platform/http/server.ts';
import { withLogContext } from '../../platform/runtime/logger.ts';
import { startTicker } from '../../platform/runtime/ticker.ts';
import type { RunningWorker } from '../../platform/temporal/worker.ts';
import { createWorkerHealth } from '../../platform/temporal/worker-health.ts';
import { createApp } from '../http/app.ts';
import { createReadiness } from '../readiness.ts';
import { VERSION } from '../version.ts';
import { composeChannelEvents } from './channel-events.ts';
import { composeCollection } from './collection.ts';
import type { ServiceParts } from './service-parts.ts';
import { composeServices } from './services.ts';

/**
 * The bank notifies payments that a process without an API made, and those that a crash left without a notification.
 */
const BANK_TICK_MS = 500;
/** `lastUsedAt` of an API key has the precision of an hour, so a second of delay does not matter. */
const KEY_USES_TICK_MS = 1_000;

export async function openApi(
  { config, logger, gateway, renderer, understanding, metrics, api, closing }: ServiceParts,
  db: Database,
  worker: RunningWorker | undefined,
): Promise<{ url: string }> {
  const processId = randomUUID();
  const heartbeatId = heartbeatWorkflowId(processId);
  const workerHealth = createWorkerHealth({ gateway, heartbeatId, ownState: () => worker?.state() });
  const collection = composeCollection(config, db, logger, () => api.url, understanding);
  const mails = createMailReader();
  closing(mails.close);
  const spreadsheets = createSpreadsheetReader();
  closing(spreadsheets.close);
  const rehearsals = createRehearsalThreads();
  closing(rehearsals.close);
  const replays = createReplayThreads();
  closing(replays.close);
  const channelEvents = composeChannelEvents(config, collection, mails);
  const threads = { spreadsheets, rehearsals, replays };
  const services = composeServices(config, collection, renderer, channelEvents, gateway, threads);
  const builtConsole = await readConsole();
  if (builtConsole === undefined) logger.warn('the console is not built, so that only the API is served');
  const app = createApp({
    config: {
      publicUrl: config.publicUrl,
      production: config.nodeEnv === 'production',
      version: VERSION,
      trustProxy: config.trustProxy,
      corsOrigins: config.corsOrigins,
      metricsToken: config.metricsToken,
      loginRatePerMinute: config.loginRatePerMinute,
      signupRatePerMinute: config.signupRatePerMinute,
      publicRatePerMinute: config.publicRatePerMinute,
      clientRatePerMinute: config.clientRatePerMinute,
      sandboxOnly: config.paymentProviders.length === 0 && config.messagingChannels.length === 0,
      paymentProviders: config.paymentProviders,
      pixMtlsProxies: config.pixMtlsProxies,
      verification: config.singleClient ? 'own' : config.operatorEmail === undefined ? undefined : 'by_mail',
      identity: config.consoleIdentity,
    },
    logger,
    withLogContext,
    metrics,
    authenticate: services.authenticate,
    services,
    now: collection.now,
    readiness: createReadiness({ database: db.ping, temporal: gateway.ping, worker: workerHealth }),
    console: builtConsole,
    mapError: mapDbError,
  });
  const { host, port, publicUrl, maxConnections } = config;
  const server = await startServer(app, { host, port, publicUrl, maxConnections });
  closing(server.close);
  api.url = server.url;
  const keyUses = startTicker({
    everyMs: KEY_USES_TICK_MS,
    run: services.storeKeyUses,
    onFailure: (error) => logger.warn({ err: error }, 'uses of API keys could not be noted'),
  });
  closing(keyUses.stop);
  const bank = startTicker({
    everyMs: BANK_TICK_MS,
    run: collection.payments.bank.deliverDue,
    onFailure: (error) => logger.warn({ err: error }, 'the simulated bank could not notify'),
  });
  closing(bank.stop);
  await db
    .system()
    .transactional((tx) =>
      addOutbox(tx, { kind: 'start', workflow: 'heartbeat', workflowId: heartbeatId, payload: {} }),
    );
  return { url: server.url };
}
