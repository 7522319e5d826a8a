import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ask } from '../../testing/database.ts';
import { database, dataDir, isReady, PATIENCE, readiness, serve, temporal, urlOf } from './outside.ts';
import { eventually } from './support.ts';

const READY = /Quita is ready/;

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
