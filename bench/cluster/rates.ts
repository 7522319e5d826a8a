import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, Client as TemporalClient } from '@temporalio/client';
import { type EngineServer, startDatabase, startDevelopmentEngine } from '../stack/servers.ts';
import { cpuSecondsOf } from '../support/cpu.ts';
import { createFirstTimers } from '../support/first-timers.ts';
import { startAll } from '../support/start-all.ts';
import { startProcess } from '../support/start-process.ts';
import { startTemporalCluster } from './temporal-cluster.ts';

type Say = (line: string) => void;

interface Variant {
  readonly name: string;
  readonly shards?: number;
  readonly connections?: number;
  readonly fsync?: boolean;
  readonly development?: boolean;
}

/** Each differs from the first in one thing, which says what moves the limit. */
const VARIANTS: readonly Variant[] = [
  { name: '16 shards, 20 connections, fsync' },
  { name: '1 shard', shards: 1 },
  { name: '4 shards', shards: 4 },
  { name: '64 shards', shards: 64 },
  { name: '512 shards', shards: 512 },
  { name: '2 connections', connections: 2 },
  { name: '5 connections', connections: 5 },
  { name: 'no fsync', fsync: false },
  { name: 'development server, SQLite', development: true },
  { name: '16 shards, 20 connections, fsync, again' },
];

interface Rates {
  readonly perSecond: number;
  readonly cpuMs: { readonly temporal: number; readonly postgres: number };
}

/** Measures on each variant of the server how fast bare workflows start to sleep, and run an empty activity and wait. */
export async function compareRates(folder: string, count: number, say: Say, signal: AbortSignal): Promise<void> {
  say(`${count} workflows each; CPU of one: Temporal + PostgreSQL`);
  for (const [index, variant] of VARIANTS.entries()) {
    if (signal.aborted) return;
    const own = join(folder, String(index));
    mkdirSync(own);
    const { sleeping, loop } = await measureVariant(own, variant, count);
    say(`${variant.name.padEnd(40)} sleeping children ${shown(sleeping)}   wait and empty activity ${shown(loop)}`);
  }
}

const shown = ({ perSecond, cpuMs }: Rates): string =>
  `${perSecond.toFixed(1).padStart(5)}/s (${cpuMs.temporal.toFixed(0)} + ${cpuMs.postgres.toFixed(0)} ms)`;

async function measureVariant(folder: string, variant: Variant, count: number) {
  const stops: (() => Promise<unknown> | unknown)[] = [];
  const quiet = (): void => {};
  try {
    const database = await startDatabase(folder, quiet, variant.fsync ?? true);
    stops.push(database.stop);
    const { shards, connections } = variant;
    const engine = variant.development
      ? await startDevelopmentEngine(folder, quiet)
      : await startTemporalCluster(folder, quiet, {
          databaseUrl: database.url,
          ...(shards === undefined ? {} : { shards }),
          ...(connections === undefined ? {} : { connections }),
        });
    stops.push(engine.stop);
    const worker = await startProcess(new URL('../support/bare-worker-process.ts', import.meta.url), {
      BENCH_TEMPORAL_ADDRESS: engine.address,
    });
    stops.push(worker.stop);
    const connection = await Connection.connect({ address: engine.address });
    stops.push(() => connection.close());
    const measure = (ms: (size: number) => Promise<number>) => measureCpu(engine, database.pid() ?? 0, count, ms);
    const client = new TemporalClient({ connection });
    await fanOutMs(client, 20);
    await loopMs(client, 20);
    return {
      sleeping: await measure((size) => fanOutMs(client, size)),
      loop: await measure((size) => loopMs(client, size)),
    };
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

async function measureCpu(
  engine: EngineServer,
  postgres: number,
  count: number,
  run: (size: number) => Promise<number>,
): Promise<Rates> {
  const cpu = () => ({
    temporal: engine.processes().reduce((sum, { pid }) => sum + cpuSecondsOf(pid ?? 0), 0),
    postgres: cpuSecondsOf(postgres),
  });
  const before = cpu();
  const ms = await run(count);
  const after = cpu();
  const each = (part: keyof typeof before): number => ((after[part] - before[part]) * 1_000) / count;
  return { perSecond: (count * 1_000) / ms, cpuMs: { temporal: each('temporal'), postgres: each('postgres') } };
}

async function fanOutMs(client: TemporalClient, count: number): Promise<number> {
  const children = Array.from({ length: count }, () => `bare-${randomUUID()}`);
  const workflowId = `bare-parent-${randomUUID()}`;
  await client.workflow.start('bareParent', { workflowId, taskQueue: 'bare', args: [children] });
  return createFirstTimers(client).fanOutMs(workflowId, children.toReversed());
}

async function loopMs(client: TemporalClient, count: number): Promise<number> {
  const { sleeps } = createFirstTimers(client);
  const ids = Array.from({ length: count }, () => `bare-${randomUUID()}`);
  const began = performance.now();
  await startAll(count, (index) =>
    client.workflow.start('bareContact', { workflowId: ids[index]!, taskQueue: 'bare' }),
  );
  // The last ones started wait last, so that hardly any is asked twice.
  for (const id of ids.toReversed()) while (!(await sleeps(id))) await sleep(20);
  return performance.now() - began;
}
