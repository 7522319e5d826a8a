import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { createTemporalServer, type TemporalServer } from '../workflows/support/temporal-server.ts';
import { createScratch, eventually, type Started } from './support.ts';

const PATIENCE = 60_000;
const scratch = createScratch();
const dataDir = join(scratch.folder, 'data');

let database: TestDatabase;
let temporal: TemporalServer;

beforeAll(async () => {
  [database, temporal] = await Promise.all([createTestDatabase(), createTemporalServer()]);
});

afterAll(async () => {
  await scratch.clean();
  await temporal?.remove();
  await database?.drop();
}, PATIENCE);

const serve = (role: string): Started =>
  scratch.run(process.execPath, ['src/main.ts', role], {
    DATA_DIR: dataDir,
    PORT: '0',
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.target.address,
  });

const urlOf = async (harness: Started): Promise<string> => (await harness.says(/API\s+(http:\S+)/, PATIENCE))[1] ?? '';
const isReady = async (url: string) => (await fetch(`${url}/health/ready`)).status === 200;

describe('the service with external PostgreSQL and Temporal', () => {
  it(
    'runs its roles in separate processes',
    async () => {
      await temporal.start();
      const worker = serve('worker');
      const relay = serve('relay');
      const apis = [serve('api'), serve('api')];
      for (const api of apis) {
        const url = await urlOf(api);
        await eventually(() => isReady(url), 'a worker and a relay elsewhere', PATIENCE);
      }
      for (const one of [worker, relay, ...apis]) one.signal('SIGINT');
      for (const one of [worker, relay, ...apis]) expect(await one.ended).toBe(0);
    },
    PATIENCE * 2,
  );
});
