import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ROOT } from './support.ts';

/** Stands for npm: notes what it is asked, and brings what an installation brings. */
const NPM = `
const { appendFileSync, mkdirSync, writeFileSync, readFileSync } = require('node:fs');
const command = process.argv.slice(2).filter((word) => !word.startsWith('--no-') || word === '--no-save');
appendFileSync('asked', command.join(' ') + '\\n');
if (process.env.FAKE_REFUSES?.split(',').includes(command[0])) { console.error('npm says no'); process.exit(1); }
mkdirSync('node_modules/.bin', { recursive: true });
mkdirSync('node_modules/jest', { recursive: true });
writeFileSync('node_modules/.bin/node', '#!/bin/sh\\nexit 0\\n', { mode: 0o755 });
writeFileSync('node_modules/.package-lock.json', readFileSync('package-lock.json'));
`;

let folder = '';
const lock = (version: string) =>
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ packages: { '': {}, 'node_modules/koa': { version } } }),
  );

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
  cpSync(join(ROOT, 'scripts', 'setup.mjs'), join(folder, 'scripts', 'setup.mjs'));
  writeFileSync(join(folder, 'npm.js'), NPM);
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
  lock('3.0.0');
});

describe('set-up', () => {
  it('installs what is missing, once, and again when the lock changes', () => {
    expect(setup()).toMatchObject({ status: 0, asked: ['ci'], stdout: expect.stringContaining('Installing packages') });
    expect(setup()).toMatchObject({ status: 0, asked: [], stdout: '' });
    lock('3.0.1');
    expect(setup().asked).toEqual(['ci']);
  });

  it('falls back to an installation that keeps the lock, as npm 11 and later need it', () => {
    const { status, asked } = setup({ FAKE_REFUSES: 'ci' });
    expect({ status, asked }).toEqual({ status: 0, asked: ['ci', 'install --no-save'] });
  });

  it('says what npm said when nothing helps, and tries again the next time', () => {
    const failed = setup({ FAKE_REFUSES: 'ci,install' });
    expect(failed.status).toBe(1);
    expect(failed.stderr).toContain('npm says no');
    expect(setup().asked).toEqual(['ci']);
  });

  it('says so when the install scripts were blocked', () => {
    writeFileSync(join(folder, 'npm.js'), NPM.replace('exit 0', 'exit 1'));
    const blocked = setup();
    expect(blocked.status).toBe(1);
    expect(blocked.stderr).toContain('allow its install script');
  });

  it('takes what somebody installed by hand, when it is what the lock asks for', () => {
    execFileSync(process.execPath, [join(folder, 'npm.js'), 'install'], { cwd: folder });
    expect(setup().asked).toEqual([]);
    rmSync(join(folder, 'node_modules', '.quita-setup'));
    lock('3.0.1');
    expect(setup().asked).toEqual(['ci']);
  });

  it('brings the tools for tests also where production left them out', () => {
    setup();
    rmSync(join(folder, 'node_modules', 'jest'), { recursive: true });
    expect(setup().asked).toEqual([]);
    // Without a browser this would install one.
    if (existsSync('/usr/bin/chromium')) expect(setup({}, '--test').asked).toEqual(['ci --include=dev']);
  });
});

describe('quita under another Node', () => {
  it('goes on under the installed one and passes on what it answers', () => {
    mkdirSync(join(folder, 'bin'));
    mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
    const script = readFileSync(join(ROOT, 'bin', 'quita.mjs'), 'utf8');
    // The running Node must look too old for the branch that an old one takes.
    writeFileSync(join(folder, 'bin', 'quita.mjs'), script.replace('NODE_MAJOR = 24', 'NODE_MAJOR = 9999'));
    const run = () =>
      spawnSync(process.execPath, [join(folder, 'bin', 'quita.mjs'), 'clients', 'list'], { encoding: 'utf8' });
    expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining('run "npm install"') });
    const node = join(folder, 'node_modules', '.bin', 'node');
    writeFileSync(node, '#!/bin/sh\necho "$@"\nexit 7\n');
    chmodSync(node, 0o755);
    expect(run()).toMatchObject({ status: 7, stdout: `${join(folder, 'src', 'cli.ts')} clients list\n` });
  });
});
