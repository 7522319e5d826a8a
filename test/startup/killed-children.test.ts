import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createScratch, eventually, type Started } from './support.ts';

const PATIENCE = 60_000;
const scratch = createScratch();
const dataDir = join(scratch.folder, 'data');
let harness: Started;
let url: string;

beforeAll(async () => {
  const settings = { DATA_DIR: dataDir, PORT: '0', TEMPORAL_PORT: '0', TEMPORAL_UI_PORT: '0' };
  harness = scratch.run(process.execPath, ['src/main.ts'], settings);
  url = (await harness.says(/API\s+(http:\S+)/, PATIENCE))[1] ?? '';
  await isReady();
}, 2 * PATIENCE);

afterAll(scratch.clean, PATIENCE);

interface Answer {
  status: number;
  checks: Record<string, { status: string }>;
}

const ready = async (): Promise<Answer> => {
  const answer = await fetch(`${url}/health/ready`);
  return { status: answer.status, checks: ((await answer.json()) as Answer).checks };
};
const isReady = async (): Promise<void> => {
  let last: Answer | undefined;
  try {
    await eventually(
      async () => {
        last = await ready();
        return last.status === 200;
      },
      'ready',
      PATIENCE,
    );
  } catch (error) {
    throw new Error(`${JSON.stringify(last)}\n${harness.output()}`, { cause: error });
  }
};

const postgresPid = () => Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
const temporalPid = () => (JSON.parse(readFileSync(join(dataDir, 'temporal.pid'), 'utf8')) as { pid: number }).pid;

describe('a killed server of a running service', () => {
  it.each([
    ['database', 'PostgreSQL', postgresPid],
    ['temporal', 'Temporal', temporalPid],
  ])(
    'is started again; meanwhile /health/ready is 503 and names the %s',
    async (check, name, pidOf) => {
      const before = pidOf();
      process.kill(before, 'SIGKILL');
      // A readiness answer may be a second old, in which a server can restart, so it is killed until an answer shows it
      // down.
      let killed = before;
      const killAgain = (): void => {
        try {
          const pid = pidOf();
          if (pid !== killed) process.kill(pid, 'SIGKILL');
          killed = pid;
        } catch {
          // The file is not written yet, or the process has ended already.
        }
      };
      const down = await eventually(async () => {
        const answer = await ready();
        // The worker may be seen without the server before the server itself is asked.
        if (answer.checks[check]?.status === 'down') return answer;
        killAgain();
        return undefined;
      }, `${check} down`);
      expect(down.status).toBe(503);
      expect((await fetch(`${url}/health/live`)).status).toBe(200);
      await harness.says(new RegExp(`${name} is back`), PATIENCE);
      await isReady();
      expect(pidOf()).not.toBe(before);
    },
    2 * PATIENCE,
  );

  it('and the service still stops cleanly', async () => {
    harness.signal('SIGINT');
    expect(await harness.ended).toBe(0);
  });
});
