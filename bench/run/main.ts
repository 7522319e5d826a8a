/**
 * `npm run bench [-- --only NAME,… --quick --json FILE --compare FILE --tolerance PERCENT]` runs the benchmarks of this
 * folder one after the other, each in a process of its own with a time limit, and prints their figures in one table.
 * `--quick` takes small sizes. `--compare` reports what has changed since the run of that file; `--results FILE` compares
 * the results of that file and runs nothing. The exit code is 1 when a benchmark failed, and says nothing about goals and
 * changes, because other work of a machine changes them too.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { machine } from '../support/machine.ts';
import { findBenches } from './benches.ts';
import { compare, comparisonLines } from './compare.ts';
import { type BenchResult, type Compared, type Results, readResults } from './results.ts';
import { runBench } from './run-bench.ts';
import { tableOf } from './table.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    compare: { type: 'string' },
    results: { type: 'string' },
    tolerance: { type: 'string', default: '20' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const refuse = (line: string): never => {
  process.stderr.write(`${line}\n`);
  return process.exit(2);
};

async function run(): Promise<Results> {
  const all = findBenches();
  const names = values.only?.split(',').filter((name) => name !== '') ?? all.map(({ name }) => name);
  const unknown = names.filter((name) => all.every((bench) => bench.name !== name));
  if (unknown.length > 0) {
    refuse(`Unknown: ${unknown.join(', ')}. There are ${all.map(({ name }) => name).join(', ')}.`);
  }
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const head = { version, quick: values.quick, startedAt: new Date().toISOString(), machine: machine() };
  const benches: BenchResult[] = [];
  for (const bench of all.filter(({ name }) => names.includes(name))) {
    say(`\n== ${bench.name}`);
    const result = await runBench(bench, values.quick);
    benches.push(result);
    say(
      `   ${result.outcome}${result.reason === undefined ? '' : `: ${result.reason}`} (${result.seconds} s, load average before it ${result.loadBefore})`,
    );
    // Each result is stored at once, because a full run takes hours.
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ ...head, benches }, null, 2)}\n`);
  }
  say('');
  for (const line of tableOf({ benches })) say(line);
  const failed = benches.filter(({ outcome }) => outcome !== 'done');
  if (failed.length > 0) process.exitCode = 1;
  say('');
  say(
    failed.length === 0
      ? `${benches.length} benchmarks were done.`
      : `${failed.length} of ${benches.length} benchmarks were not done: ${failed.map(({ name }) => name).join(', ')}.`,
  );
  return { ...head, benches };
}

const before = values.compare === undefined ? undefined : readResults(values.compare);
const tolerance = Number(values.tolerance) / 100;
if (!(tolerance >= 0)) refuse('--tolerance must be a percentage.');
const now: Compared = values.results === undefined ? await run() : readResults(values.results);
if (before !== undefined) {
  say('');
  for (const line of comparisonLines(compare(before, now, tolerance), `version ${before.version}`, tolerance)) {
    say(line);
  }
}
