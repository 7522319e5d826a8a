import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { createTemporalServer, type TemporalServer } from '../workflows/support/temporal-server.ts';
import { createScratch, type Started } from './support.ts';

/** What the suites share that run the service beside a PostgreSQL and a Temporal of their own. */

export const PATIENCE = 60_000;
export const scratch = createScratch();
export const dataDir = join(scratch.folder, 'data');

export let database: TestDatabase;
export let temporal: TemporalServer;

beforeAll(async () => {
  [database, temporal] = await Promise.all([createTestDatabase(), createTemporalServer()]);
});

afterAll(async () => {
  await scratch.clean();
  await temporal?.remove();
  await database?.drop();
}, PATIENCE);

export const serve = (roles: readonly string[] = [], env: Record<string, string> = {}): Started =>
  scratch.run(process.execPath, ['src/main.ts', ...roles], {
    DATA_DIR: dataDir,
    PORT: '0',
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.target.address,
    ...env,
  });

export const urlOf = async (service: Started): Promise<string> =>
  (await service.says(/API\s+(http:\S+)/, PATIENCE))[1] ?? '';

export const readiness = async (url: string) => {
  const answer = await fetch(`${url}/health/ready`);
  const { checks } = (await answer.json()) as { checks: Record<string, { status: string }> };
  return { status: answer.status, checks };
};
export const isReady = async (url: string) => (await readiness(url)).status === 200;
