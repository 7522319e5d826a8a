import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReportedFigure } from '../support/report.ts';
import type { Bench } from './benches.ts';
import type { BenchResult } from './results.ts';
import { fixedWorkMs, withYardstick } from './yardstick.ts';

const GRACE_MS = 20_000;

function figuresOf(file: string): ReportedFigure[] {
  try {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as ReportedFigure);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Why a benchmark does not count although it ended: it has told nothing, or something that is no number. */
function fault(figures: readonly ReportedFigure[]): string | undefined {
  if (figures.length === 0) return 'it reported no figure';
  const wrong = figures.filter(({ value, ratio }) => value === null || ratio === null);
  return wrong.length === 0 ? undefined : `not a number: ${wrong.map(({ name }) => name).join(', ')}`;
}

/** Runs one benchmark in a process of its own; its output goes to ours. */
export async function runBench(bench: Bench, quick: boolean): Promise<BenchResult> {
  const folder = mkdtempSync(join(tmpdir(), 'quita-figures-'));
  const file = join(folder, 'figures');
  try {
    const loadBefore = Math.round((loadavg()[0] ?? 0) * 10) / 10;
    const workMs = fixedWorkMs();
    const start = performance.now();
    const child = spawn(process.execPath, [bench.file, ...(quick ? [] : bench.args)], {
      env: { ...process.env, BENCH_FIGURES: file, BENCH_QUICK: quick ? '1' : '0' },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    let late = false;
    let killing: NodeJS.Timeout | undefined;
    const limit = setTimeout(() => {
      late = true;
      child.kill('SIGTERM');
      // The servers of a benchmark end with it, by their watchdogs.
      killing = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    }, bench.limitMs);
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    clearTimeout(limit);
    clearTimeout(killing);
    const figures = figuresOf(file).map((one) => withYardstick(one, workMs));
    const seconds = Math.round((performance.now() - start) / 1_000);
    const seen = { name: bench.name, seconds, loadBefore, figures };
    if (late) return { ...seen, outcome: 'too long', reason: `it was stopped after ${bench.limitMs / 60_000} minutes` };
    if (code !== 0) return { ...seen, outcome: 'failed', reason: `it ended with ${signal ?? `exit code ${code}`}` };
    const reason = fault(figures);
    return reason === undefined ? { ...seen, outcome: 'done' } : { ...seen, outcome: 'failed', reason };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
