import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { createActivities } from '../../activities/index.ts';
import { composeCollection } from '../../src/app/compose/collection.ts';
import { composeEvents } from '../../src/app/compose/events.ts';
import { createWorkerServices } from '../../src/app/services/worker.ts';
import { createUnderstandingThreads } from '../../src/modules/agent/adapters/threads/understanding-threads.ts';
import { launchCampaign } from '../../src/modules/campaigns/use-cases/launch-campaign.ts';
import { createThreadRenderer } from '../../src/modules/receipts/adapters/receipt-renderer/threads/renderer.ts';
import { loadConfig, SECRET_NAMES } from '../../src/platform/config/index.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createGateway } from '../../src/platform/temporal/gateway.ts';
import { startWorker } from '../../src/platform/temporal/worker.ts';
import { createWorkflowRuns } from '../../src/platform/temporal/workflow-runs.ts';
import type { App } from '../../testing/app.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import type { createRecordingChannel } from '../../testing/engine.ts';
import type { FakeMercadoPago } from '../../testing/fake-mercadopago.ts';
import { SOURCE } from '../../testing/source.ts';
import { realEnv } from '../payments/real-provider.ts';
import { LIMITS } from '../workflows/support/fixture.ts';

export { DAY, HOUR, nextWednesday, offsetTo } from '../../testing/moments.ts';

const address = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
const codePath = process.env['TEST_WORKFLOW_BUNDLE'] ?? '';
const secrets = Object.fromEntries(SECRET_NAMES.map((name) => [name, `${name.toLowerCase()}-of-the-tests`]));
const logger = pino({ level: 'silent' });

type Recording = ReturnType<typeof createRecordingChannel>;

export interface ShiftedOptions {
  readonly offsetMs: number;
  readonly provider: FakeMercadoPago;
  /** Takes the place of a channel that reaches real people. */
  readonly recording: Recording;
  /** The app that owns the database, so that a deployment can end and another one take it over. */
  readonly keeper: App;
}

/** A deployment with real adapters and a shifted clock: API, relay and worker, as three processes would run. */
export async function startShifted({ offsetMs, provider, recording, keeper }: ShiftedOptions) {
  const env = { ...realEnv(provider, true), CLOCK_OFFSET: `${offsetMs}ms` };
  const app = await startCampaignsApp({
    roles: ['api', 'relay'],
    env,
    database: keeper.database,
    taskQueue: keeper.taskQueue,
  });
  const config = loadConfig({ NODE_ENV: 'test', ...secrets, ...env });
  const open = (role: 'quita_app' | 'quita_worker') =>
    openDatabase({ url: app.database.url, role, poolSize: 8, clockOffsetMs: config.clockOffset });
  const [db, apiDb] = [await open('quita_worker'), await open('quita_app')];
  const understanding = createUnderstandingThreads();
  const renderer = createThreadRenderer({ threads: 1 });
  const gateway = createGateway({ address, namespace: 'default', taskQueue: app.taskQueue });
  const composed = composeCollection(config, db, logger, () => app.url, understanding);
  const sender = { channel: recording.channel, credentials: null, id: null, number: null };
  const deps = { ...composed, sendersOf: async () => [sender], missingConnections: async () => [] };
  const workerId = `shifted-${randomUUID()}`;
  const worker = startWorker({
    address,
    namespace: 'default',
    taskQueue: app.taskQueue,
    workerId,
    bundle: { codePath },
    activities: createActivities({
      workerId,
      pingDatabase: db.ping,
      services: createWorkerServices({
        ...deps,
        renderer,
        mailerOf: () => null,
        mailer: null,
        events: composeEvents(config, deps),
        runs: createWorkflowRuns(gateway),
      }),
      clockOffsetMs: config.clockOffset,
    }),
    limits: LIMITS,
    logger,
  });
  const connection = await Connection.connect({ address });
  return {
    app,
    temporal: new Client({ connection }),
    launch: (client: TestClient, campaignId: string) =>
      launchCampaign({ ...deps, db: apiDb })({
        clientId: client.id,
        campaignId,
        sandbox: false,
        source: SOURCE,
      }),
    offsetMs,
    now: () => Date.now() + offsetMs,
    async stop() {
      await worker.shutdown();
      await app.close();
      await connection.close();
      await gateway.close();
      await understanding.close();
      await renderer.close();
      await db.close();
      await apiDb.close();
    },
  };
}

export type Shifted = Awaited<ReturnType<typeof startShifted>>;
