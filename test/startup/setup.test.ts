import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ROOT } from './support.ts';

/** A fake npm that records its arguments and creates the files of an installation. */
const NPM = `
const { appendFileSync, mkdirSync, writeFileSync, readFileSync } = require('node:fs');
const command = process.argv.slice(2).filter((word) => !word.startsWith('--no-') || word === '--no-save');
appendFileSync('asked', command.join(' ') + '\\n');
if (process.env.FAKE_REFUSES?.split(',').includes(command[0])) {
  console.error(process.env.FAKE_SAYS ?? 'npm says no');
  process.exit(1);
}
mkdirSync('node_modules/.bin', { recursive: true });
mkdirSync('node_modules/jest', { recursive: true });
writeFileSync('node_modules/.bin/node', '#!/bin/sh\\nexit 0\\n', { mode: 0o755 });
const installed = JSON.parse(readFileSync('package-lock.json', 'utf8'));
Object.assign(installed.packages, JSON.parse(process.env.FAKE_INSTALLS ?? '{}'));
writeFileSync('node_modules/.package-lock.json', JSON.stringify(installed));
`;

let folder = '';
const lock = (version: string) =>
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({
      packages: {
        '': {},
        'node_modules/koa': { version, integrity: 'sha512-koa', optionalDependencies: { 'koa-mac': '1' } },
      },
    }),
  );
/** The message of npm 11 and later, with a registry that has the package and with one that lacks it. */
const MISSES_MAC = ['npm error code EUSAGE', 'npm error Missing: koa-mac@1.0.0 from lock file'].join('\n');

const setup = (env: Record<string, string> = {}, ...args: string[]) => {
  rmSync(join(folder, 'asked'), { force: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'scripts', 'setup.mjs'), ...args], {
    env: { PATH: process.env['PATH'], npm_execpath: join(folder, 'npm.js'), ...env },
    encoding: 'utf8',
  });
  const asked = existsSync(join(folder, 'asked')) ? readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n') : [];
  return { status, stdout, stderr, asked: asked.map((line) => line.replace(' --loglevel=error', '')) };
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quita-setup-'));
  mkdirSync(join(folder, 'scripts'));
  for (const name of ['setup.mjs', 'install-packages.mjs']) {
    cpSync(join(ROOT, 'scripts', name), join(folder, 'scripts', name));
  }
  writeFileSync(join(folder, 'npm.js'), NPM);
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
  lock('3.0.0');
});

describe('set-up', () => {
  it('installs missing packages once, and again when the lock file changes', () => {
    expect(setup()).toMatchObject({ status: 0, asked: ['ci'], stdout: expect.stringContaining('Installing packages') });
    expect(setup()).toMatchObject({ status: 0, asked: [], stdout: '' });
    lock('3.0.1');
    expect(setup().asked).toEqual(['ci']);
  });

  it.each([MISSES_MAC, MISSES_MAC.replace('1.0.0', '')])(
    'falls back to an installation that keeps the lock after %j',
    (says) => {
      const { status, asked } = setup({ FAKE_REFUSES: 'ci', FAKE_SAYS: says });
      expect({ status, asked }).toEqual({ status: 0, asked: ['ci', 'install --no-save'] });
    },
  );

  it.each([
    'npm error EINTEGRITY sha512-… integrity checksum failed',
    'npm error Missing: koa@3.1.0 from lock file',
    `${MISSES_MAC}\nnpm error Invalid: lock file's koa@3.0.0 does not satisfy koa@3.1.0`,
  ])('installs nothing beyond the lock file after %j', (says) => {
    const { status, asked, stderr } = setup({ FAKE_REFUSES: 'ci', FAKE_SAYS: says });
    expect({ status, asked }).toEqual({ status: 1, asked: ['ci'] });
    expect(stderr).toContain(says);
  });

  it('compares the packages of the fallback with the lock file: versions, checksums and names', () => {
    const installing = (installs: object) =>
      setup({ FAKE_REFUSES: 'ci', FAKE_SAYS: MISSES_MAC, FAKE_INSTALLS: JSON.stringify(installs) });
    expect(installing({ 'node_modules/koa-mac': { version: '1.0.0' } }).status).toBe(0);
    rmSync(join(folder, 'node_modules'), { recursive: true });
    const wrong = {
      'node_modules/koa': { version: '3.0.0', integrity: 'sha512-other' },
      'node_modules/evil': { version: '6.6.6' },
    };
    expect(installing(wrong)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('packages that differ from the lock file: koa@3.0.0, evil@6.6.6'),
    });
  });

  it('prints npm’s message when every way fails, and tries again the next time', () => {
    const failed = setup({ FAKE_REFUSES: 'ci,install' });
    expect(failed.status).toBe(1);
    expect(failed.stderr).toContain('npm says no');
    expect(setup().asked).toEqual(['ci']);
  });

  it('reports when the install scripts were blocked', () => {
    writeFileSync(join(folder, 'npm.js'), NPM.replace('exit 0', 'exit 1'));
    const blocked = setup();
    expect(blocked.status).toBe(1);
    expect(blocked.stderr).toContain('allow its install script');
  });

  it('accepts packages that were installed by hand when they match the lock file', () => {
    execFileSync(process.execPath, [join(folder, 'npm.js'), 'install'], { cwd: folder });
    expect(setup().asked).toEqual([]);
    rmSync(join(folder, 'node_modules', '.quita-setup'));
    lock('3.0.1');
    expect(setup().asked).toEqual(['ci']);
  });

  it('installs the tools for tests also where production left them out', () => {
    setup();
    rmSync(join(folder, 'node_modules', 'jest'), { recursive: true });
    expect(setup().asked).toEqual([]);
    // Without a browser this test would install one.
    if (existsSync('/usr/bin/chromium')) expect(setup({}, '--test').asked).toEqual(['ci --include=dev']);
  });
});

describe('the console', () => {
  const page = () => join(folder, 'build', 'web', 'index.html');
  const setTime = (path: string, time: Date) => utimesSync(join(folder, path), time, time);
  const past = new Date('2026-01-01');

  /** The installed Node only notes that the console is built, and creates its page. */
  beforeEach(() => {
    setup();
    const build = `case "$1" in *build-web.ts) [ -z "$FAKE_FAILS" ] || { echo no room >&2; exit 1; }; mkdir -p "${folder}/build/web"; touch "${page()}";; esac`;
    writeFileSync(join(folder, 'node_modules', '.bin', 'node'), `#!/bin/sh\n${build}\n`, { mode: 0o755 });
    mkdirSync(join(folder, 'web', 'src'), { recursive: true });
    for (const file of ['web/index.html', 'web/src/main.tsx', 'web/src/main.test.ts', 'scripts/build-web.ts']) {
      writeFileSync(join(folder, file), '');
      setTime(file, past);
    }
    for (const path of ['web', 'web/src', 'package-lock.json']) setTime(path, past);
  });
  const built = () => setup({}, '--console').stdout.startsWith('Console built in ');

  it('is built once, and again when a source, the build or a package changes', () => {
    expect([built(), existsSync(page()), built()]).toEqual([true, true, false]);
    for (const changed of ['web/src/main.tsx', 'web/src', 'scripts/build-web.ts', 'package-lock.json']) {
      setTime(changed, new Date(Date.now() + 60_000));
      expect([changed, built()]).toEqual([changed, true]);
      setTime(changed, past);
      expect([changed, built()]).toEqual([changed, false]);
    }
    setTime('web/src/main.test.ts', new Date(Date.now() + 60_000));
    expect(built()).toBe(false);
  });

  it('is not built where nobody asks for it, and a failure stops the start', () => {
    expect(setup()).toMatchObject({ status: 0, stdout: '' });
    expect(existsSync(page())).toBe(false);
    expect(setup({ FAKE_FAILS: 'yes' }, '--console')).toMatchObject({
      status: 1,
      stderr: 'The console could not be built:\nno room\n\n',
    });
  });
});

describe('the bundle of workflows', () => {
  const RULE = 'src/modules/debts/rules/next-step.ts';
  const ROUTE = 'src/modules/debts/routes/debts.ts';
  const SOURCES = ['workflows/index.ts', 'src/kernel/money.ts', RULE, ROUTE];
  const setTime = (path: string, time: Date) => utimesSync(join(folder, path), time, time);
  const past = new Date('2026-01-01');

  it('is built once, and again when a workflow, the kernel or a rule changes', () => {
    setup();
    const record = `case "$1" in *bundle-workflows.ts) mkdir -p "${folder}/build"; touch "${folder}/build/workflow-bundle.js"; echo x >> "${folder}/bundled";; esac`;
    writeFileSync(join(folder, 'node_modules', '.bin', 'node'), `#!/bin/sh\n${record}\n`, { mode: 0o755 });
    for (const file of SOURCES) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), '');
    }
    const built = (): boolean => {
      rmSync(join(folder, 'bundled'), { force: true });
      setup();
      return existsSync(join(folder, 'bundled'));
    };
    for (const path of [...SOURCES, 'src/kernel', 'src/modules', 'workflows']) setTime(path, past);
    expect([built(), built()]).toEqual([true, false]);
    for (const changed of SOURCES) {
      setTime(changed, new Date(Date.now() + 60_000));
      expect([changed, built()]).toEqual([changed, changed !== ROUTE]);
      setTime(changed, past);
    }
  });
});

describe('quita under another Node', () => {
  it('continues under the installed Node and returns its exit code', () => {
    mkdirSync(join(folder, 'bin'));
    mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
    const script = join(folder, 'bin', 'quita.mjs');
    cpSync(join(ROOT, 'bin', 'quita.mjs'), script);
    const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.0.0" } })';
    const options = ['--import', `data:text/javascript,${older}`];
    const run = () => spawnSync(process.execPath, [...options, script, 'clients', 'list'], { encoding: 'utf8' });
    expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining('run "npm install"') });
    const node = join(folder, 'node_modules', '.bin', 'node');
    writeFileSync(node, '#!/bin/sh\necho "$@"\nexit 7\n');
    chmodSync(node, 0o755);
    expect(run()).toMatchObject({ status: 7, stdout: `${join(folder, 'src', 'cli.ts')} clients list\n` });
  });
});
