/**
 * What sleeping debts cost a worker: `node bench/worker-memory.ts`. A worker that has started 100 debts, and another one
 * that has started 10,000. Goal: the second holds at most 20 % more.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EngineHouse, startEngineHouse } from './support/engine-house.ts';

const MANY = Number(process.argv[2] ?? 10_000);
const WORKER = new URL('./support/worker-process.ts', import.meta.url).pathname;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function memoryWith(house: EngineHouse, debts: number): Promise<number> {
  const child = spawn(process.execPath, ['--expose-gc', '--disable-warning=ExperimentalWarning', WORKER], {
    env: { ...process.env, BENCH_DATABASE_URL: house.databaseUrl, TEST_TEMPORAL_ADDRESS: house.address },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  const nextLine = async (): Promise<string> => ((await once(lines, 'line')) as [string])[0];
  try {
    await nextLine();
    const { workflowId, children } = await house.campaignOf(debts);
    await house.fanOutMs(workflowId, children.toSorted().slice(0, 1));
    // What is left of the start goes: buffers of the engine's core, and what V8 gives back late.
    await sleep(20_000);
    const answer = nextLine();
    child.stdin.write('memory\n');
    const { rss, heapUsed } = JSON.parse(await answer) as { rss: number; heapUsed: number };
    say(
      `${debts} sleeping debts: ${(rss / 1e6).toFixed(0)} MB, of which ${(heapUsed / 1e6).toFixed(0)} MB heap in use`,
    );
    return rss;
  } finally {
    child.kill('SIGKILL');
  }
}

const house = await startEngineHouse();
try {
  const few = await memoryWith(house, 100);
  const many = await memoryWith(house, MANY);
  say(`${MANY} against 100: ${(((many - few) / few) * 100).toFixed(0)} % more (goal: at most 20 %)`);
} finally {
  await house.stop();
}
