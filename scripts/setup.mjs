// Runs before anything is installed, under the Node of the machine, so it is plain JavaScript and imports only Node's
// own modules.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from './install-packages.mjs';

const OLDEST_NODE = 20;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const inRoot = (...parts) => join(root, ...parts);
const forTests = process.argv.includes('--test');

const say = (line) => process.stdout.write(`${line}\n`);
const fail = (line) => {
  process.stderr.write(`${line}\n`);
  process.exit(1);
};

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  fail(`Node ${OLDEST_NODE} or later is needed, and this is Node ${process.versions.node}: https://nodejs.org`);
}

const lockFile = inRoot('package-lock.json');
const stampFile = inRoot('node_modules', '.quita-setup');
const stamp = () => createHash('sha256').update(readFileSync(lockFile)).digest('hex');

/** Checks the Node 24 of the packages: its package has an install script, which some package managers block. */
const nodeRuns = () => spawnSync(inRoot('node_modules', '.bin', 'node'), ['--version']).status === 0;

/** Packages that were installed by hand are accepted too when they match the lock file. */
const installedMatchesLock = () => {
  try {
    const wanted = JSON.parse(readFileSync(lockFile, 'utf8')).packages;
    const present = JSON.parse(readFileSync(inRoot('node_modules', '.package-lock.json'), 'utf8')).packages;
    return Object.entries(wanted).every(
      ([path, { version, optional, dev }]) =>
        path === '' || optional || (dev && !forTests) || present[path]?.version === version,
    );
  } catch {
    return false;
  }
};

const isInstalled = () => {
  if (!existsSync(inRoot('node_modules')) || (forTests && !existsSync(inRoot('node_modules', 'jest')))) return false;
  if (existsSync(stampFile)) return readFileSync(stampFile, 'utf8') === stamp();
  if (!installedMatchesLock() || !nodeRuns()) return false;
  writeFileSync(stampFile, stamp());
  return true;
};

const install = () => {
  const begin = Date.now();
  say('Installing packages (once, up to a minute)');
  const problem = installPackages(forTests ? ['--include=dev'] : []);
  if (problem !== undefined) fail(`The packages could not be installed:\n${problem}`);
  if (!nodeRuns()) fail('The package "node" has no program: allow its install script, then run "npm rebuild"');
  writeFileSync(stampFile, stamp());
  say(`Packages installed in ${Math.round((Date.now() - begin) / 1000)} s`);
};

/**
 * The page tests use a real browser, and the examples of `docs/api.md` use curl and jq. Debian's packages of them need no
 * download from another source.
 */
const ensureTestPrograms = () => {
  const missing = ['chromium', 'curl', 'jq'].filter((name) => !existsSync(`/usr/bin/${name}`));
  if (missing.length === 0) return;
  const how = `apt-get install ${missing.join(' ')}`;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    say(`Installing ${missing.join(', ')} for the tests (once)`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const options = { env, encoding: 'utf8' };
    spawnSync('apt-get', ['update', '-qq'], options);
    const done = spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], options);
    if (done.status === 0) return;
    say(`The packages could not be installed (${(done.stderr ?? '').trim().split('\n').at(-1)}): run "${how}"`);
    return;
  }
  say(`The tests need ${missing.join(', ')} in /usr/bin: run "sudo ${how}"`);
};

/**
 * Builds the bundle that workers run, so that no separate step is needed before `npm start`. Outside production a worker
 * that finds it older than its sources bundles them by itself, at each start.
 */
const ensureBundle = () => {
  const bundle = inRoot('build', 'workflow-bundle.js');
  // Workflows use the kernel and the rules of modules, as in src/platform/temporal/bundle.ts.
  const modules = join('src', 'modules');
  const sources = ['workflows', join('src', 'kernel'), modules]
    .filter((folder) => existsSync(inRoot(folder)))
    .flatMap((folder) => readdirSync(inRoot(folder), { recursive: true }).map((name) => join(folder, name)))
    .filter((path) => !path.startsWith(modules) || path.includes(`${sep}rules${sep}`))
    .map((path) => inRoot(path));
  if (sources.length === 0) return;
  const changedAt = (file) => statSync(file).mtimeMs;
  if (existsSync(bundle) && sources.every((source) => changedAt(source) <= changedAt(bundle))) return;
  const done = spawnSync(inRoot('node_modules', '.bin', 'node'), [inRoot('scripts', 'bundle-workflows.ts')], {
    cwd: root,
    encoding: 'utf8',
  });
  if (done.status !== 0) fail(`The workflows could not be bundled:\n${done.stderr}`);
};

/**
 * Builds the console when it is missing or older than its sources. Only a start and the tests need it. An entry of the
 * folder stands for files that were removed.
 */
const ensureWeb = () => {
  const page = inRoot('build', 'web', 'index.html');
  const build = inRoot('scripts', 'build-web.ts');
  if (!existsSync(inRoot('web', 'index.html'))) return;
  const names = readdirSync(inRoot('web'), { recursive: true }).filter((name) => !name.endsWith('.test.ts'));
  const sources = [lockFile, build, inRoot('web'), ...names.map((name) => inRoot('web', name))];
  const changedAt = (file) => statSync(file).mtimeMs;
  if (existsSync(page) && sources.every((source) => changedAt(source) <= changedAt(page))) return;
  const begin = Date.now();
  const done = spawnSync(inRoot('node_modules', '.bin', 'node'), [build], { cwd: root, encoding: 'utf8' });
  if (done.status !== 0) fail(`The console could not be built:\n${done.stderr}`);
  say(`Console built in ${Math.round((Date.now() - begin) / 1000)} s`);
};

if (!isInstalled()) install();
if (forTests) ensureTestPrograms();
ensureBundle();
if (forTests || process.argv.includes('--console')) ensureWeb();
