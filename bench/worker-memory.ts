/**
 * Measures the memory that sleeping debts cost a worker: `node bench/worker-memory.ts`. It starts the worker as the image
 * does, in a separate process, once with 100 debts and once with 10,000. The goal is at most 600 MB with 10,000.
 * `--without-allocator-settings` leaves out the image's variables of the C library, as `npm start` does.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { refreshWorkflowBundle } from '../src/platform/temporal/bundle.ts';
import { type EngineHarness, startEngineHarness } from './support/engine-harness.ts';
import { IMAGE_ALLOCATOR_SETTINGS, IMAGE_NODE_OPTIONS } from './support/image-settings.ts';
import { sized } from './support/quick.ts';
import { type Figure, report } from './support/report.ts';
import { BENCH_SECRETS } from './support/secrets.ts';

const MANY = Number(process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? sized(10_000, 1_000));
/** The goal was set for 10,000 debts. With more, the memory is told without one. */
const GOAL = { debts: 10_000, megabytes: 600 };
const ALLOCATOR_SETTINGS = process.argv.includes('--without-allocator-settings') ? {} : IMAGE_ALLOCATOR_SETTINGS;
const ROOT = new URL('..', import.meta.url).pathname;
const MAIN = [...IMAGE_NODE_OPTIONS, 'src/main.ts'];
const say = (line: string): void => void process.stdout.write(`${line}\n`);

function startRole(harness: EngineHarness, role: 'worker' | 'relay') {
  const env = {
    ...process.env,
    ...BENCH_SECRETS,
    NODE_ENV: 'production',
    LOG_LEVEL: 'error',
    ...ALLOCATOR_SETTINGS,
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
    // The memory of the start is released first: buffers of the SDK's core, and memory that V8 returns late.
    await sleep(30_000);
    say(`${debts} sleeping debts: ${worker.megabytes().toFixed(0)} MB`);
    return worker.megabytes();
  } finally {
    await worker.stop();
  }
}

await refreshWorkflowBundle(pino({ level: 'silent' }));
const harness = await startEngineHarness();
const relay = startRole(harness, 'relay');
try {
  const few = await memoryWith(harness, 100);
  const many = await memoryWith(harness, MANY);
  const figure: Figure = {
    name: `worker memory with ${MANY} sleeping debts`,
    value: many,
    unit: 'MB',
    better: 'less',
    baseline: { name: 'with 100 debts', value: few },
    ...(MANY <= GOAL.debts ? { goal: { of: 'value', limit: GOAL.megabytes } } : {}),
  };
  report(
    `${MANY} against 100: ${(((many - few) / few) * 100).toFixed(0)} % more (goal: at most 600 MB in all)`,
    figure,
  );
} finally {
  await relay.stop();
  await harness.stop();
}
