import { availableParallelism } from 'node:os';
import type { HolidayRules } from '../../../../../kernel/holidays.ts';
import { createWorkerPool } from '../../../../../platform/threads/worker-pool.ts';
import {
  type Comparison,
  type Counterexample,
  MAX_COUNTEREXAMPLES,
  PLACES_TO_COMPARE,
  type Sample,
  type Span,
} from '../../../rules/check/compare.ts';
import type { PolicyPack } from '../../../rules/policy-pack.ts';

type CheckTask =
  | ({ readonly kind: 'boundaries' | 'messages'; readonly areaCode: string } & Span)
  | ({ readonly kind: 'sample' } & Sample);

export interface CheckJob {
  readonly pack: PolicyPack;
  readonly holidays: HolidayRules;
  readonly task: CheckTask;
}

interface CheckOptions {
  readonly pack: PolicyPack;
  readonly holidays: HolidayRules;
  readonly from: string;
  readonly days: number;
  readonly sample: number;
  readonly seed: number;
  readonly threads?: number;
  /** The area codes whose boundaries are compared; by default one for each place that differs. */
  readonly places?: readonly string[];
  readonly onProgress?: (done: number, of: number) => void;
}

/** No part of the check takes an hour, on the slowest machine. */
const TIMEOUT_MS = 3_600_000;
const MEMORY_MB = 512;
const DAYS_OF_TASK = 92;
const SAMPLE_OF_TASK = 50_000;

function tasksOf({ from, days, sample, seed, places = PLACES_TO_COMPARE }: CheckOptions): CheckTask[] {
  const tasks: CheckTask[] = [];
  for (let drawn = 0; drawn < sample; drawn += SAMPLE_OF_TASK) {
    const size = Math.min(SAMPLE_OF_TASK, sample - drawn);
    tasks.push({ kind: 'sample', from, days, size, seed: seed + drawn / SAMPLE_OF_TASK });
  }
  const start = Date.parse(from);
  for (const areaCode of places) tasks.push({ kind: 'messages', areaCode, from, days });
  for (let day = 0; day < days; day += DAYS_OF_TASK) {
    const first = new Date(start + day * 86_400_000).toISOString().slice(0, 10);
    for (const areaCode of places) {
      tasks.push({ kind: 'boundaries', areaCode, from: first, days: Math.min(DAYS_OF_TASK, days - day) });
    }
  }
  return tasks;
}

/** Compares engine and plain reading on all processors. It stops at the first counterexamples. */
export async function checkPolicy(options: CheckOptions): Promise<Comparison> {
  const { pack, holidays, threads = availableParallelism(), onProgress = () => undefined } = options;
  const pool = createWorkerPool<CheckJob, Comparison>({
    workerUrl: new URL('./worker.ts', import.meta.url),
    threads,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    timeoutMs: TIMEOUT_MS,
  });
  const tasks = tasksOf(options);
  const counterexamples: Counterexample[] = [];
  let decisions = 0;
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    while (next < tasks.length && counterexamples.length < MAX_COUNTEREXAMPLES) {
      const task = tasks[next]!;
      next += 1;
      const found = await pool.run([{ pack, holidays, task }]);
      decisions += found.decisions;
      counterexamples.push(...found.counterexamples);
      done += 1;
      onProgress(done, tasks.length);
    }
  };
  try {
    await Promise.all(Array.from({ length: threads }, work));
  } finally {
    await pool.close('abandon');
  }
  return { decisions, counterexamples: counterexamples.slice(0, MAX_COUNTEREXAMPLES) };
}
