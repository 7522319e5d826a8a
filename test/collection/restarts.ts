import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { Client, Connection, type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import type { CampaignsApp, TestClient } from '../../testing/campaigns-app.ts';
import { ask, type TestDatabase } from '../../testing/database.ts';
import { type Collector, collector, type Debt, sent, startCollectionApp } from '../../testing/engine-harness.ts';
import { createScratch, ROOT, type Scratch } from '../startup/support.ts';
import { createTemporalServer, type TemporalServer } from '../workflows/support/temporal-server.ts';

/** What the suites share that lose workflows or data of Temporal and run the operator's command. */

/** The queue of the product, because the command runs as an operator runs it. */
const TASK_QUEUE = 'quita';

const servers: TemporalServer[] = [];
const databases: TestDatabase[] = [];
const apps: CampaignsApp[] = [];
let scratch: Scratch;
export let server: TemporalServer;
export let temporal: Client;

export async function newServer(): Promise<TemporalServer> {
  const one = await createTemporalServer();
  servers.push(one);
  await one.start();
  return one;
}
export async function newDatabase(making: Promise<TestDatabase>): Promise<TestDatabase> {
  const one = await making;
  databases.push(one);
  return one;
}
/** By the default wait, workflows that an app leaves behind still wait when the next one starts. */
export async function start(database: TestDatabase, on: TemporalServer, sandboxMaxWait = '2s'): Promise<CampaignsApp> {
  const app = await startCollectionApp({
    database,
    env: { SANDBOX_MAX_WAIT: sandboxMaxWait },
    temporalAddress: on.target.address,
    taskQueue: TASK_QUEUE,
  });
  apps.push(app);
  return app;
}
/**
 * How many debts a campaign's workflow has started, which may not be there yet itself. A child without a run was asked
 * for and is not started: the end of its parent also ends the asking.
 */
export const startedBy = (campaign: WorkflowHandle): Promise<number> =>
  campaign.describe().then(
    ({ raw }) => raw.pendingChildren?.filter(({ runId }) => runId).length ?? 0,
    (error: unknown) => {
      if (error instanceof WorkflowNotFoundError) return 0;
      throw error;
    },
  );
export async function stop(app: CampaignsApp): Promise<void> {
  apps.splice(apps.indexOf(app), 1);
  await app.close();
}

beforeAll(async () => {
  scratch = createScratch();
  server = await newServer();
  temporal = new Client({ connection: await Connection.connect({ address: server.target.address }) });
});
// Another app on the same queue would take the tasks of the next test.
afterEach(async () => {
  for (const app of [...apps]) await stop(app);
});
afterAll(async () => {
  await temporal?.connection.close();
  for (const one of servers) await one.remove();
  for (const one of databases) await one.drop();
  await scratch?.clean();
});

/** Runs the operator's command in a process of its own. */
export async function command(on: { database: TestDatabase; server: TemporalServer }, ...args: string[]) {
  const settings = {
    DATABASE_URL: on.database.url,
    TEMPORAL_ADDRESS: on.server.target.address,
    DATA_DIR: scratch.folder,
  };
  const started = scratch.run(process.execPath, [`${ROOT}/src/cli.ts`, 'collections', ...args], settings);
  const code = await started.ended;
  return { code, output: started.output() };
}

/** The client's calls through another app, which serves the same database or a copy of it. */
export const through = (app: CampaignsApp, { id, token }: TestClient): Collector =>
  collector({
    id,
    token,
    call: (method, path, body) => app.call(method, path, { body, bearer: token }),
    createCampaign: () => Promise.reject(new Error('not used')),
    importJson: () => Promise.reject(new Error('not used')),
    importCsv: () => Promise.reject(new Error('not used')),
  });

/** Row security also applies to the owner, so it is lifted from the table. */
export async function asOwner<Row extends object>({ url }: TestDatabase, table: string, text: string): Promise<Row[]> {
  await ask(url, `alter table ${table} no force row level security`);
  return ask<Row>(url, text);
}

export const steps = (debt: Debt): string[] => sent(debt, 'collection').map(({ at }) => at.slice(0, 10));

/** Every contact of the whole sequence was made once, on a day of its own, and stands in the ledger. */
export async function expectWholeSequence(debt: Debt): Promise<void> {
  expect(debt.status).toBe('EXHAUSTED');
  expect(steps(debt)).toHaveLength(6);
  expect(new Set(steps(debt)).size).toBe(6);
}
