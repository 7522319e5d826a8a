import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const STATES = ['met', 'in part', 'not met', 'operator', 'n/a'];

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Returns the cells of the table rows whose first cell matches. */
const rowsOf = (page: string, first: RegExp): string[][] =>
  page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
    .filter(([cell]) => first.test(cell!));

describe('the table of ASVS 5.0.0', () => {
  const rows = rowsOf(read('docs/security-asvs.md'), /^V\d+\.\d+\.\d+$/);
  const summary = read('docs/security.md');
  const inState = (state: string) => rows.filter((row) => row[3] === state).map(([id]) => id);

  it('has each requirement of levels 1 and 2 once, with a state', () => {
    expect(new Set(rows.map(([id]) => id)).size).toBe(rows.length);
    expect(['1', '2'].map((level) => rows.filter((row) => row[1] === level).length)).toEqual([70, 183]);
    expect(rows.filter((row) => row.length !== 6 || !STATES.includes(row[3]!))).toEqual([]);
  });

  it('has the sums that the summary states', () => {
    const countsOf = (some: readonly string[][]) =>
      [...STATES.map((state) => some.filter((row) => row[3] === state).length), some.length].map(String);
    for (const [chapter, ...counts] of rowsOf(summary, /^V\d+ /)) {
      const ofChapter = rows.filter(([id]) => id!.startsWith(`${chapter!.split(' ')[0]}.`));
      expect([chapter, ...counts]).toEqual([chapter, ...countsOf(ofChapter)]);
    }
    expect(rowsOf(summary, /^all$/)[0]?.slice(1)).toEqual(countsOf(rows));
    expect(rowsOf(summary, /^[12]$/).filter((row) => row.length === 7)).toEqual(
      ['1', '2'].map((level) => [level, ...countsOf(rows.filter((row) => row[1] === level))]),
    );
  });

  it('has every requirement that is not met listed in the summary', () => {
    expect(rowsOf(summary, /^V\d+\.\d+\.\d+$/).map(([id]) => id)).toEqual(inState('not met'));
    expect([...summary.matchAll(/\*\*(V\d+\.\d+\.\d+)\*\*/g)].map(([, id]) => id)).toEqual([
      ...inState('in part'),
      ...inState('operator'),
    ]);
  });
});
