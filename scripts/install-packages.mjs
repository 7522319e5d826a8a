// Installs the packages of package-lock.json. It runs under the Node of the machine, so it is plain JavaScript and
// imports only Node's own modules.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const npm = (...args) => {
  const options = [...args, '--no-audit', '--no-fund', '--loglevel=error'];
  const outer = process.env.npm_execpath;
  return outer?.endsWith('.js')
    ? spawnSync(process.execPath, [outer, ...options], { cwd: root, encoding: 'utf8' })
    : spawnSync('npm', options, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' });
};

const packagesOf = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8')).packages;
const nameOf = (path) => path.split('node_modules/').at(-1);

/** Returns the optional packages of other platforms that the registry did not have when the lock file was written. */
const absentOptional = (lock) => {
  const present = new Set(Object.keys(lock).map(nameOf));
  const optional = Object.values(lock).flatMap((one) => Object.keys(one.optionalDependencies ?? {}));
  return new Set(optional.filter((name) => !present.has(name)));
};

/**
 * Tells whether npm misses only these packages. Any other difference means that package.json and the lock file
 * disagree.
 */
const missesOnly = (names, errorOutput) => {
  const lines = errorOutput.split('\n').filter((line) => / (Missing|Invalid): /.test(line));
  return lines.length > 0 && lines.every((line) => names.has(/ Missing: (\S+)@\S* from lock file/.exec(line)?.[1]));
};

/** Returns the installed packages that differ from the lock file. */
const unexpectedPackages = (lock, absent) =>
  Object.entries(packagesOf('node_modules', '.package-lock.json'))
    .filter(([path, { version, integrity }]) => {
      const wanted = lock[path];
      if (wanted === undefined) return !absent.has(nameOf(path));
      return wanted.version !== version || (wanted.integrity !== undefined && wanted.integrity !== integrity);
    })
    .map(([path, { version }]) => `${nameOf(path)}@${version}`);

/**
 * Runs `npm ci`. Since version 11 npm refuses a lock file that lacks optional packages of other platforms. Only in this
 * case `npm install` runs instead, without changing the lock file, and versions and checksums are then compared with
 * the lock file. Returns a description of the failure, or undefined.
 */
export const installPackages = (args = []) => {
  const done = npm('ci', ...args);
  if (done.status === 0) return undefined;
  const failure = ({ stderr, stdout, error }) => stderr || stdout || error?.message || 'npm failed without a message';
  const lock = packagesOf('package-lock.json');
  const absent = absentOptional(lock);
  if (!missesOnly(absent, done.stderr ?? '')) return failure(done);
  const second = npm('install', '--no-save', ...args);
  if (second.status !== 0) return failure(second);
  const others = unexpectedPackages(lock, absent);
  return others.length === 0
    ? undefined
    : `npm installed packages that differ from the lock file: ${others.join(', ')}`;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problem = installPackages(process.argv.slice(2));
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`);
    process.exit(1);
  }
}
