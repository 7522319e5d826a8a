import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = ['SECURITY.md', 'docs/security.md', 'docs/security-asvs.md'];
const STATES = ['met', 'in part', 'not met', 'operator', 'n/a'];

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const anchorsOf = (page: string): string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Rows of a table whose first cell looks like this, as their cells. */
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

describe('the pages about security', () => {
  it.each(PAGES)('%s links to files and headings that exist', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https:)([^)#]*)(?:#([^)]+))?\)/g)];
    const dead = links.filter(([, path, anchor]) => {
      const target = path === '' ? page : join(dirname(page), path!);
      return !existsSync(join(ROOT, target)) || (anchor !== undefined && !anchorsOf(read(target)).includes(anchor));
    });
    expect(links.length).toBeGreaterThan(0);
    expect(dead.map(([link]) => link)).toEqual([]);
  });

  it.each(PAGES)('%s names files that exist', (page) => {
    const named = [...read(page).matchAll(/`((?:src|test|bench|policies)\/[\w./-]+)`/g)].map(([, path]) => path!);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

describe('the table of ASVS 5.0.0', () => {
  const rows = rowsOf(read('docs/security-asvs.md'), /^V\d+\.\d+\.\d+$/);
  const summary = read('docs/security.md');
  const inState = (state: string) => rows.filter((row) => row[3] === state).map(([id]) => id);

  it('has each requirement of levels 1 and 2 once, with a state', () => {
    expect(new Set(rows.map(([id]) => id)).size).toBe(rows.length);
    expect(['1', '2'].map((level) => rows.filter((row) => row[1] === level).length)).toEqual([70, 183]);
    expect(rows.filter((row) => row.length !== 6 || !STATES.includes(row[3]!))).toEqual([]);
  });

  it('is summed up as it is', () => {
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

  it('has what is not met listed in the summary', () => {
    expect(rowsOf(summary, /^V\d+\.\d+\.\d+$/).map(([id]) => id)).toEqual(inState('not met'));
    expect([...summary.matchAll(/\*\*(V\d+\.\d+\.\d+)\*\*/g)].map(([, id]) => id)).toEqual([
      ...inState('in part'),
      ...inState('operator'),
    ]);
  });
});
