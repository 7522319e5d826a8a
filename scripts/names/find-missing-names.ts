import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)));
const FOLDERS = new Set(FILES.filter((file) => file.includes('/')).map((file) => file.split('/')[0]!));
const NAMES = new Set(FILES.map((file) => basename(file)));
export const PAGES = FILES.filter((file) => file.endsWith('.md') && !file.startsWith('test/'));
/** The generated client describes its generator's files in its comments. */
const GENERATED = 'web/src/api/client.ts';
const SOURCES = FILES.filter((file) => /\.(?:tsx?|mjs|sql|yml)$|^Dockerfile$|^\.env/.test(file) && file !== GENERATED);

export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const exists = (path: string): boolean => existsSync(join(ROOT, path));

/** Patterns such as `src/platform/database/routines/*.sql` and `src/modules/<subject>` are no paths, because of their characters. */
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

export const deadLinks = (page: string, text: string): string[] =>
  [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
    .filter(([, path, anchor]) => {
      const target = path === '' ? page : join(dirname(page), path!);
      return !exists(target) || (anchor !== undefined && !anchorsOf(read(target)).includes(anchor));
    })
    .map(([link]) => link);

/** Types of the glossary that are not in the files that it names. */
const wrongGlossary = (): string[] =>
  glossaryPairs()
    .filter(([name, file]) => !exists(file) || !new RegExp(`\\b${name}\\b`).test(read(file)))
    .map(([name, file]) => `docs/glossary.md: ${name} is not in ${file}`);

export const glossaryPairs = (): (readonly [name: string, file: string])[] =>
  read('docs/glossary.md')
    .split('\n')
    .flatMap((line) => [...line.matchAll(/((?:`\w+`(?: and |, ))+)`((?:src|workflows|activities)\/[\w./-]+)`/g)])
    .flatMap(([, names, file]) => [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => [name!, file!] as const));

/** The index lists every decision once, in the order of the numbers. */
function wrongIndex(): string[] {
  const index = 'docs/decisions/README.md';
  const listed = [...read(index).matchAll(/^\| \[\d{4}\]\(([\w.-]+)\)/gm)].map(([, page]) => page!);
  const pages = PAGES.filter((page) => /^docs\/decisions\/\d/.test(page)).map((page) => basename(page));
  return listed.join() === pages.sort().join() ? [] : [`${index} does not list every decision once, in order`];
}

/** Every name of a file, link or type in documents and comments that leads nowhere. */
export const findMissingNames = (): string[] => [
  ...PAGES.flatMap((page) => [
    ...missingFrom(read(page)).map((path) => `${page}: ${path} does not exist`),
    ...deadLinks(page, read(page)).map((link) => `${page}: ${link} leads nowhere`),
  ]),
  ...wrongGlossary(),
  ...wrongIndex(),
  ...SOURCES.flatMap((file) => missingFrom(commentsOf(read(file))).map((path) => `${file}: ${path} does not exist`)),
];
