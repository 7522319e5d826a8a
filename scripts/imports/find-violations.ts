import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { LAWS, type Law, OWNED_PACKAGES } from './laws.ts';

const FOLDERS = ['src', 'activities', 'workflows', 'web', 'testing', 'bench', 'test'];
const IMPORT = /\b((?:import|export)\s+type\s[^'"();]*from|from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g;
/** The beginning of a statement in a string of a module, where only queries and tables may have one. */
const SQL = /[`'"]\s*(?:select\s|insert into\s|delete from\s|update\s+\w+\s+set\s|with\s+\w+\s+as\s*\()/i;
/** Modules, but for their adapters, get `now` from outside, so that a test sets their clock. */
const OWN_CLOCK = /\bnew Date\(\)|\bDate\.now\b/;
/** This module runs SQL texts, so only files of the database may import it. */
const RAW_STATEMENTS = 'src/platform/database/statement.ts';

const isWithin = (file: string, path: string): boolean => file === path || file.startsWith(`${path}/`);

/** Where statements stand: the database's own folder, and the queries and tables of a module. */
const isDatabase = (file: string): boolean =>
  isWithin(file, 'src/platform/database') || /^src\/modules\/[^/]+\/(?:queries|tables)\//.test(file);

const lawOf = (file: string): Law | undefined =>
  LAWS.filter(({ path }) => isWithin(file, path)).toSorted((a, b) => b.path.length - a.path.length)[0];

function refusalOfPackage(file: string, law: Law, specifier: string): string | undefined {
  if (law.packages === 'every') return undefined;
  const owned = OWNED_PACKAGES.find(({ name }) => isWithin(specifier, name));
  if (owned !== undefined && !owned.owners.some((owner) => isWithin(file, owner))) {
    return `only ${owned.owners.join(' and ')} may import ${owned.name}`;
  }
  if (law.packages === '*' || law.packages.some((name) => isWithin(specifier, name))) return undefined;
  return `${law.path} may not import ${specifier}`;
}

function refusalOf(file: string, law: Law, specifier: string, typesOnly: boolean): string | undefined {
  if (law.packages !== 'every' && specifier === 'kysely' && !isDatabase(file)) return 'only queries may import kysely';
  if (!specifier.startsWith('.')) return refusalOfPackage(file, law, specifier);
  const target = posix.join(posix.dirname(file), specifier);
  if (law.packages !== 'every' && target === RAW_STATEMENTS && !isDatabase(file)) return 'statements stand in queries';
  if (law.mayImport === '*' || law.mayImport.some((path) => isWithin(target, path))) return undefined;
  if (typesOnly && law.mayImportTypes?.some((path) => isWithin(target, path))) return undefined;
  // A file of a law's path may import its neighbours, but not a neighbouring folder that has a law of its own.
  if (isWithin(target, law.path) && lawOf(target) === law) return undefined;
  return `${law.path} may not import ${lawOf(target)?.path ?? target}`;
}

/** Returns one line for each import of a file that a law forbids. */
export function violationsOf(file: string, source: string): string[] {
  const law = lawOf(file);
  if (law === undefined) return [];
  const found = [...source.matchAll(IMPORT)].flatMap(([, keywords = '', specifier = '']) => {
    const refusal = refusalOf(file, law, specifier, /^(?:import|export)\s+type\s/.test(keywords));
    return refusal === undefined ? [] : [`${file}: '${specifier}': ${refusal}`];
  });
  const isModule = isWithin(file, 'src/modules');
  if (isModule && !isDatabase(file) && SQL.test(source)) found.push(`${file}: statements stand in queries`);
  if (isModule && !file.includes('/adapters/') && OWN_CLOCK.test(source)) found.push(`${file}: the clock is injected`);
  return found;
}

const isProduct = (file: string): boolean => lawOf(file)?.packages !== 'every';

/** Returns the violations of the project at `root`. A test beside the code that it tests may import what it needs. */
export function findViolations(root: string): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
      .filter((file) => /\.tsx?$/.test(file) && !(isProduct(file) && /\.test\.tsx?$/.test(file)))
      .flatMap((file) => violationsOf(file, readFileSync(join(root, file), 'utf8'))),
  );
}
