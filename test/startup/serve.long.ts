import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ask } from '../../testing/database.ts';
import { createScratch, eventually, processesWith, type Started } from './support.ts';

const READY = /Quita is ready/;
const PATIENCE = 120_000;

const scratch = createScratch();
const dataDir = join(scratch.folder, 'data');
const settings = { DATA_DIR: dataDir, PORT: '0', TEMPORAL_PORT: '0', TEMPORAL_UI_PORT: '0' };

const serve = (): Started => scratch.run(process.execPath, ['src/main.ts'], settings);

/** Reads the note of the instance on this folder. */
const askOwn = (statement: string): Promise<object[]> => {
  const note = JSON.parse(readFileSync(join(dataDir, 'instance.json'), 'utf8')) as { databaseUrl: string };
  return ask(note.databaseUrl, statement);
};

afterAll(scratch.clean);

describe('npm start', () => {
  it(
    'recovers from kill -9 of all processes with the same secrets and without losing data',
    async () => {
      const secret = () => readFileSync(join(dataDir, 'secrets', 'RECEIPT_SECRET'), 'utf8');
      const harness = serve();
      await harness.says(READY, PATIENCE);
      const before = secret();
      const id = randomUUID();
      await askOwn(`insert into outbox (id, kind, workflow, workflow_id, payload, available_at)
        values ('${id}', 'start', 'heartbeat', 'heartbeat-${id}', '{}', now() + interval '1 hour')`);
      const pids = processesWith(dataDir).map((line) => Number.parseInt(line, 10));
      expect(pids.length).toBeGreaterThan(2);
      for (const pid of [harness.pid, ...pids]) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // This is a session of PostgreSQL that ended with its server.
        }
      }
      await harness.ended;
      const again = serve();
      await again.says(READY, PATIENCE);
      expect(secret()).toBe(before);
      await askOwn(`update outbox set available_at = now() where id = '${id}'`);
      await eventually(async () => {
        const rows = await askOwn(`select 1 from outbox where id = '${id}' and delivered_at is not null`);
        return rows.length === 1;
      }, 'the work of before to be done');
      again.signal('SIGTERM');
      expect(await again.ended).toBe(0);
    },
    PATIENCE * 2,
  );
});
