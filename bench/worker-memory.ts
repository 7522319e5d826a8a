/**
 * What sleeping debts cost a worker: `node bench/worker-memory.ts`. The worker as it is run in earnest, in a process of
 * its own, that has started 100 debts, and another one that has started 10,000. Goal: the second holds at most 20 % more.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { writeWorkflowBundle } from '../src/temporal/bundle.ts';
import { type EngineHarness, startEngineHarness } from './support/engine-harness.ts';
import { BENCH_SECRETS } from './support/secrets.ts';

const MANY = Number(process.argv[2] ?? 10_000);
const ROOT = new URL('..', import.meta.url).pathname;
// As package.json and the image start it.
const MAIN = ['--max-semi-space-size=4', '--disable-warning=ExperimentalWarning', 'src/main.ts'];
const say = (line: string): void => void process.stdout.write(`${line}\n`);

function startRole(harness: EngineHarness, role: 'worker' | 'relay') {
  const env = {
    ...process.env,
    ...BENCH_SECRETS,
    NODE_ENV: 'production',
    LOG_LEVEL: 'error',
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '131072',
    DATABASE_URL: harness.databaseUrl,
    TEMPORAL_ADDRESS: harness.address,
  };
  const child = spawn(process.execPath, [...MAIN, role], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
  return {
    megabytes: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)])) / 1024,
    stop: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

async function memoryWith(harness: EngineHarness, debts: number): Promise<number> {
  const worker = startRole(harness, 'worker');
  try {
    const { workflowId, children } = await harness.campaignOf(debts);
    await harness.fanOutMs(workflowId, children.toSorted().slice(0, 1));
    // What is left of the start goes: buffers of the engine's core, and what V8 gives back late.
    await sleep(30_000);
    say(`${debts} sleeping debts: ${worker.megabytes().toFixed(0)} MB`);
    return worker.megabytes();
  } finally {
    await worker.stop();
  }
}

await writeWorkflowBundle(pino({ level: 'silent' }));
const harness = await startEngineHarness();
const relay = startRole(harness, 'relay');
try {
  const few = await memoryWith(harness, 100);
  const many = await memoryWith(harness, MANY);
  say(`${MANY} against 100: ${(((many - few) / few) * 100).toFixed(0)} % more (goal: at most 20 %)`);
} finally {
  await relay.stop();
  await harness.stop();
}
