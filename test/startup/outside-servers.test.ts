import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ask, createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { createTemporalServer, type TemporalServer } from '../workflows/support/temporal-server.ts';
import { createScratch, eventually, type Started } from './support.ts';

const READY = /Quita is ready/;
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

const serve = (roles: readonly string[] = [], env: Record<string, string> = {}): Started =>
  scratch.run(process.execPath, ['src/main.ts', ...roles], {
    DATA_DIR: dataDir,
    PORT: '0',
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.target.address,
    ...env,
  });

const urlOf = async (harness: Started): Promise<string> => (await harness.says(/API\s+(http:\S+)/, PATIENCE))[1] ?? '';
const readiness = async (url: string) => {
  const answer = await fetch(`${url}/health/ready`);
  const { checks } = (await answer.json()) as { checks: Record<string, { status: string }> };
  return { status: answer.status, checks };
};
const isReady = async (url: string) => (await readiness(url)).status === 200;

describe('the service with external PostgreSQL and Temporal', () => {
  it(
    'serves while Temporal is down, reports it, keeps the work, and does it when Temporal is up',
    async () => {
      const harness = serve();
      await harness.says(READY, PATIENCE);
      const url = await urlOf(harness);
      expect((await fetch(`${url}/health/live`)).status).toBe(200);
      expect(await readiness(url)).toMatchObject({
        status: 503,
        checks: { database: { status: 'up' }, temporal: { status: 'down' }, worker: { status: 'down' } },
      });
      const waiting = 'select kind, workflow from outbox where delivered_at is null';
      expect(await ask(database.url, waiting)).toEqual([{ kind: 'start', workflow: 'heartbeat' }]);

      await temporal.start();
      await eventually(() => isReady(url), 'the work to be done', PATIENCE);
      // The row is marked after the work.
      await eventually(async () => (await ask(database.url, waiting)).length === 0, 'the row to be marked');
      expect(existsSync(dataDir) ? readdirSync(dataDir) : []).toEqual(['secrets']);

      harness.signal('SIGTERM');
      expect(await harness.ended).toBe(0);
    },
    PATIENCE * 2,
  );

  it(
    'ends a worker that can never work, after it has drained',
    async () => {
      await temporal.start();
      const worker = serve(['worker'], { TEMPORAL_NAMESPACE: 'nobody-made-this' });
      expect(await worker.ended).toBe(1);
      expect(worker.output()).toContain('the worker died');
    },
    PATIENCE,
  );

  it(
    'continues to serve when the process of its worker dies, restarts it, and logs it',
    async () => {
      await temporal.start();
      const harness = serve([], { TEMPORAL_NAMESPACE: 'nobody-made-this' });
      await harness.says(/The worker ended by itself \(exit code 1\): starting it again/, PATIENCE);
      expect((await fetch(`${await urlOf(harness)}/health/live`)).status).toBe(200);
      harness.signal('SIGTERM');
      expect(await harness.ended).toBe(0);
    },
    PATIENCE * 2,
  );
});
