import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { readTemporalConfig } from '../src/platform/config/temporal-config.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { COMPILE_CACHE } from '../src/platform/runtime/compilers.ts';
import { startEmbeddedPostgres } from '../src/platform/runtime/embedded-postgres.ts';
import { startEmbeddedTemporal } from '../src/platform/runtime/embedded-temporal.ts';
import { BUILT_BUNDLE, refreshWorkflowBundle } from '../src/platform/temporal/bundle.ts';
import { ask, databaseUrl } from './database.ts';
import { testServers } from './test-servers.ts';

const TEMPLATE = 'quita_template';

const quiet = (): void => {};

/** Each test database is a clone of this one, to which no connection may be open. */
async function prepareDatabase(folder: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir: folder, durable: false, log: quiet });
  testServers().postgres = postgres;
  await ask(postgres.url, `create database ${TEMPLATE}`);
  await migrate(databaseUrl(postgres.url, TEMPLATE));
  // All clones share the logins of the template, because creating logins would take longer than cloning.
  await ask(databaseUrl(postgres.url, TEMPLATE), 'update quita_private.serving_logins set database_name = null');
  process.env['TEST_DATABASE_URL'] = postgres.url;
  process.env['TEST_DATABASE_TEMPLATE'] = TEMPLATE;
}

async function prepareTemporal(folder: string): Promise<void> {
  // `npm run cluster -- suites` brings the server with which the suites are to run.
  if (process.env['TEST_TEMPORAL_ADDRESS'] !== undefined) return;
  const temporal = await startEmbeddedTemporal({
    dataDir: folder,
    port: 0,
    uiPort: 0,
    ui: false,
    namespace: 'default',
    storage: 'memory',
    searchAttributes: readTemporalConfig().searchAttributes,
    log: quiet,
  });
  testServers().temporal = temporal;
  process.env['TEST_TEMPORAL_ADDRESS'] = temporal.address;
}

/** The suites and the services that they start read this file; without it each service would bundle the workflows itself. */
async function bundleWorkflows(): Promise<void> {
  await refreshWorkflowBundle(pino({ level: 'silent' }));
  process.env['TEST_WORKFLOW_BUNDLE'] = BUILT_BUNDLE;
}

/** Starts the servers that all suites share as the product starts them, and builds the bundle of workflows. */
export default async function globalSetup(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'quita-test-'));
  testServers().folder = folder;
  // What the tests and their processes leave in the temporary folder goes with the servers' data.
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  process.env['TMPDIR'] = temporary;
  // jest's processes and those that tests start read what earlier ones have compiled.
  process.env['NODE_COMPILE_CACHE'] = COMPILE_CACHE;
  const parts = [prepareDatabase(folder), prepareTemporal(folder), bundleWorkflows()];
  // jest does not call the teardown when the setup has failed.
  const failed = (await Promise.allSettled(parts)).find((part) => part.status === 'rejected');
  if (failed === undefined) return;
  await testServers().close();
  throw failed.reason;
}
