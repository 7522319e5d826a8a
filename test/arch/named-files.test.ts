import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)));
const FOLDERS = new Set(FILES.filter((file) => file.includes('/')).map((file) => file.split('/')[0]!));
const NAMES = new Set(FILES.map((file) => basename(file)));
const PAGES = FILES.filter((file) => file.endsWith('.md') && !file.startsWith('test/'));
/** The generated client describes its generator's files in its comments. */
const GENERATED = 'web/src/api/client.ts';
const SOURCES = FILES.filter((file) => /\.(?:tsx?|mjs|sql|yml)$|^Dockerfile$|^\.env/.test(file) && file !== GENERATED);

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const exists = (path: string): boolean => existsSync(join(ROOT, path));

/** Patterns such as `src/db/routines/*.sql` and `src/adapters/<port>` are no paths, because of their characters. */
const quotedPaths = (text: string): string[] =>
  [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+)\/?`/g)]
    .map(([, path]) => path!)
    .filter((path) => FOLDERS.has(path.split('/')[0]!));

/** Names without a folder are checked only with the ending of a source file, because settings may look like names. */
const quotedFiles = (text: string): string[] =>
  [...text.matchAll(/`([\w.-]+\.(?:tsx?|mjs|sql))`/g)].map(([, name]) => name!);

const missingFrom = (text: string): string[] => [
  ...quotedPaths(text).filter((path) => !exists(path)),
  ...quotedFiles(text).filter((name) => !NAMES.has(name)),
];

const commentsOf = (text: string): string => (text.match(/^\s*(?:\/\/|\/?\*|#|--).*$/gm) ?? []).join('\n');

const anchorsOf = (page: string): string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

const deadLinks = (page: string, text: string): string[] =>
  [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
    .filter(([, path, anchor]) => {
      const target = path === '' ? page : join(dirname(page), path!);
      return !exists(target) || (anchor !== undefined && !anchorsOf(read(target)).includes(anchor));
    })
    .map(([link]) => link);

describe('the documents', () => {
  it.each(PAGES)('%s names only files that exist', (page) => {
    expect(missingFrom(read(page))).toEqual([]);
  });

  it.each(PAGES)('%s links only to files and headings that exist', (page) => {
    expect(deadLinks(page, read(page))).toEqual([]);
  });

  it('have a glossary whose types are in the files that it names', () => {
    const pairs = read('docs/glossary.md')
      .split('\n')
      .flatMap((line) => [...line.matchAll(/((?:`\w+`(?: and |, ))+)`((?:src|workflows|activities)\/[\w./-]+)`/g)])
      .flatMap(([, names, file]) => [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => [name!, file!] as const));
    expect(pairs.length).toBeGreaterThan(25);
    expect(pairs.filter(([name, file]) => !new RegExp(`\\b${name}\\b`).test(read(file)))).toEqual([]);
  });

  it('have an index that lists every decision once', () => {
    const listed = [...read('docs/decisions/README.md').matchAll(/^\| \[\d{4}\]\(([\w.-]+)\)/gm)].map(
      ([, page]) => page,
    );
    const pages = PAGES.filter((page) => /^docs\/decisions\/\d/.test(page)).map((page) => basename(page));
    expect(listed).toEqual(pages.sort());
  });
});

describe('the comments of the sources', () => {
  it('name only files that exist', () => {
    const missing = SOURCES.flatMap((file) => missingFrom(commentsOf(read(file))).map((path) => `${file}: ${path}`));
    expect(missing).toEqual([]);
  });
});

describe('the check of named files', () => {
  it('finds a path and a file name that do not exist', () => {
    const planted = 'See `src/domain/absent.ts`, `absent-file.ts`, `src/domain/money.ts` and `src/db/routines/*.sql`.';
    expect(missingFrom(planted)).toEqual(['src/domain/absent.ts', 'absent-file.ts']);
  });

  it('finds a link to a file and to a heading that do not exist', () => {
    const planted =
      '[a](absent.md) [b](architecture.md#absent) [c](architecture.md#tenants) [d](https://example.com/a)';
    expect(deadLinks('docs/README.md', planted)).toEqual(['](absent.md)', '](architecture.md#absent)']);
  });
});
