import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { complete, type Figure } from '../support/report.ts';
import { compare, comparisonLines } from './compare.ts';
import { type Compared, readResults } from './results.ts';
import { runBench } from './run-bench.ts';
import { tableOf } from './table.ts';
import { withYardstick } from './yardstick.ts';

const folder = mkdtempSync(join(tmpdir(), 'quita-bench-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fixture = (name: string): Compared =>
  readResults(fileURLToPath(new URL(`./fixtures/${name}.json`, import.meta.url)));
const fileOf = (name: string, content: string): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};

describe('the comparison of two runs', () => {
  const lines = compare(fixture('before'), fixture('now'), 0.2);
  const changeOf = (figure: string) => lines.find((line) => line.figure === figure);

  it('goes by the ratio to the baseline, and not by the time', () => {
    // The machine of the second run is half as fast, and so is the baseline.
    expect(changeOf('rate on a slower machine')).toMatchObject({ change: 'same', before: 0.5, now: 0.5 });
    expect(changeOf('rate that fell')?.change).toBe('worse');
    expect(changeOf('rate that rose')?.change).toBe('better');
    expect(changeOf('CPU that fell')?.change).toBe('better');
    expect(changeOf('CPU that rose')?.change).toBe('worse');
    expect(changeOf('CPU within the tolerance')?.change).toBe('same');
    expect(changeOf('memory that rose')?.change).toBe('worse');
  });

  it('names what is new, gone, or cannot be compared, and nothing of a benchmark that did not run', () => {
    expect(changeOf('rate that is new')?.change).toBe('new');
    expect(changeOf('rate that is gone')?.change).toBe('gone');
    expect(changeOf('other baseline')).toMatchObject({ change: 'not compared' });
    expect(changeOf('count without a ratio')).toMatchObject({ change: 'not compared' });
    expect(lines.some(({ bench }) => bench === 'not-run')).toBe(false);
  });

  it('compares no small sizes with full ones', () => {
    const quick = { ...fixture('now'), quick: true };
    expect(new Set(compare(fixture('before'), quick, 0.2).map(({ change }) => change))).toEqual(
      new Set(['new', 'gone', 'not compared']),
    );
  });

  it('is printed with what became worse first', () => {
    const [head, first] = comparisonLines(lines, 'version 1', 0.2);
    expect(head).toContain('tolerance of 20 %: 3 worse, 1 gone, 2 better, 1 new, 2 not compared, 2 same');
    expect(first).toMatch(/^worse +example: rate that fell: 0\.500 → 0\.300$/);
  });
});

describe('a figure', () => {
  const figure: Figure = { name: 'a', value: 50, unit: 'ms', better: 'less', baseline: { name: 'b', value: 25 } };

  it('meets its goal by its value or its ratio, in its own direction', () => {
    const met = (goal: Figure['goal'], better: Figure['better'] = 'less') =>
      complete({ ...figure, better, ...(goal && { goal }) }).met;
    expect(met({ of: 'value', limit: 50 })).toBe(true);
    expect(met({ of: 'value', limit: 49 })).toBe(false);
    expect(met({ of: 'ratio', limit: 2 })).toBe(true);
    expect(met({ of: 'ratio', limit: 1.9 })).toBe(false);
    expect(met({ of: 'ratio', limit: 2.1 }, 'more')).toBe(false);
    expect(met(undefined)).toBeNull();
  });

  it('without a baseline is compared with fixed work of the same machine', () => {
    const { baseline: _, ...alone } = figure;
    const seconds = complete({ ...alone, value: 2, unit: 's' });
    expect(withYardstick(complete(alone), 10)).toMatchObject({ ratio: 5 });
    expect(withYardstick(seconds, 10)).toMatchObject({ ratio: 200 });
    expect(withYardstick(complete({ ...alone, unit: '/s' }), 10)).toMatchObject({ ratio: 0.5 });
    expect(withYardstick(complete({ ...alone, unit: 'MB' }), 10).ratio).toBeUndefined();
    expect(withYardstick(complete(figure), 10)).toMatchObject({ ratio: 2, baseline: { name: 'b' } });
  });
});

describe('a benchmark in a process of its own', () => {
  const run = (name: string, content: string, limitMs = 30_000) =>
    runBench({ name, file: fileOf(`${name}.mjs`, content), args: [], limitMs }, true);
  const hand = `import { appendFileSync } from 'node:fs';
    appendFileSync(process.env.BENCH_FIGURES, JSON.stringify(
      { name: 'a', value: Number(process.env.BENCH_QUICK), unit: 'x', better: 'more', met: null }) + '\\n');`;

  it('hands over its figures, and knows that small sizes are wanted', async () => {
    expect(await run('good', hand)).toMatchObject({ outcome: 'done', figures: [{ name: 'a', value: 1 }] });
  });

  it('is a failure when it breaks off, takes too long, or tells nothing, and the table says so', async () => {
    const broken = await run('broken', `${hand} throw new Error('planted');`);
    const slow = await run('slow', 'setInterval(() => {}, 1_000);', 300);
    const silent = await run('silent', '');
    expect([broken, slow, silent].map(({ outcome }) => outcome)).toEqual(['failed', 'too long', 'failed']);
    expect(broken.figures).toHaveLength(1);
    const table = tableOf({ benches: [broken, slow, silent] }).join('\n');
    expect(table).toMatch(/broken +FAILED: it ended with exit code 1/);
    expect(table).toMatch(/slow +TOO LONG/);
    expect(table).toMatch(/silent +FAILED: it reported no figure/);
  });
});
