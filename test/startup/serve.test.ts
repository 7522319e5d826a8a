import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createScratch, eventually, processesWith, type Started } from './support.ts';

const READY = /Quita is ready/;
const API = /API\s+(http:\S+)/;
const PATIENCE = 120_000;

const scratch = createScratch();
const dataDir = join(scratch.folder, 'data');
const settings = { DATA_DIR: dataDir, PORT: '0', TEMPORAL_PORT: '0', TEMPORAL_UI_PORT: '0' };

const serve = (env: Record<string, string> = {}): Started =>
  scratch.run(process.execPath, ['src/main.ts'], { ...settings, ...env });
const quita = (...args: string[]): Started =>
  scratch.run(process.execPath, ['bin/quita.mjs', ...args], { ...settings });

const isAlive = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/health/live`)).status === 200;
  } catch {
    return false;
  }
};

afterAll(scratch.clean);

describe('npm start', () => {
  it(
    'serves, refuses a second start on the same folder, drains on Ctrl-C and leaves no process',
    async () => {
      const harness = serve();
      await harness.says(READY, PATIENCE);
      const [, url = ''] = await harness.says(API);
      expect(await isAlive(url)).toBe(true);
      expect(harness.output()).toMatch(/Temporal UI\s+http:[\s\S]*Data\s+.*data\n[\s\S]*Try\s+curl /);
      for (const secret of ['JWT_SECRET', 'PERSON_SECRET']) {
        const value = readFileSync(join(dataDir, 'secrets', secret), 'utf8').trim();
        expect(harness.output()).not.toContain(value);
      }

      const second = serve();
      expect(await second.ended).toBe(1);
      expect(second.output()).toContain(`Quita already runs on ${dataDir} (pid ${harness.pid}, ${url})`);
      expect(await isAlive(url)).toBe(true);

      harness.signal('SIGINT');
      expect(await harness.ended).toBe(0);
      await eventually(() => processesWith(dataDir).length === 0, 'the watchdogs to end too');
      expect(existsSync(join(dataDir, 'instance.json'))).toBe(false);
    },
    PATIENCE * 2,
  );

  it(
    'leaves no process when it is killed during its start',
    async () => {
      const harness = serve();
      await harness.says(/PostgreSQL: ready/, PATIENCE);
      harness.signal('SIGKILL');
      await harness.ended;
      await eventually(() => processesWith(dataDir).length === 0, 'the watchdogs to stop the servers');
    },
    PATIENCE,
  );

  it('stops when variables are invalid, with one line for each', async () => {
    const harness = serve({ PORT: 'many', AGENT: 'magic' });
    expect(await harness.ended).toBe(1);
    expect(harness.output()).toMatch(/^The configuration is wrong:\n {2}PORT: .*\n {2}AGENT: .*\n$/);
  });

  it('reports that PORT is taken before it sets anything up', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
    const harness = serve({ PORT: String(port) });
    expect(await harness.ended).toBe(1);
    expect(harness.output()).toBe(
      `Port ${port} on 127.0.0.1 is taken: stop what listens there, or set PORT to another one\n`,
    );
    squatter.close();
  });

  it('reports that DATA_DIR cannot be written', async () => {
    const file = join(scratch.folder, 'a-file');
    writeFileSync(file, '');
    const harness = serve({ DATA_DIR: join(file, 'data') });
    expect(await harness.ended).toBe(1);
    expect(harness.output()).toMatch(/^DATA_DIR .* cannot be written \(ENOTDIR\): .*\n$/);
  });

  it('generates no secrets in production', async () => {
    const folder = join(scratch.folder, 'production');
    const harness = serve({ NODE_ENV: 'production', DATA_DIR: folder });
    expect(await harness.ended).toBe(1);
    expect(harness.output()).toContain('  JWT_SECRET: is needed in production\n');
    expect(existsSync(folder)).toBe(false);
  });
});

describe('quita', () => {
  it(
    'runs a single role beside another instance on the same servers',
    async () => {
      const harness = serve();
      await harness.says(READY, PATIENCE);
      const api = quita('api');
      await api.says(READY, PATIENCE);
      const [, url = ''] = await api.says(API);
      expect(await isAlive(url)).toBe(true);
      api.signal('SIGTERM');
      expect(await api.ended).toBe(0);
      const [, first = ''] = await harness.says(API);
      expect(await isAlive(first)).toBe(true);
      harness.signal('SIGINT');
      expect(await harness.ended).toBe(0);
    },
    PATIENCE * 2,
  );

  it(
    'logs JSON in production, and runs the role of its argument, as containers do',
    async () => {
      const secrets = ['JWT', 'RECEIPT', 'PAYMENT_WEBHOOK', 'MESSAGING_WEBHOOK', 'PERSON'].map(
        (name) => `${name}_SECRET`,
      );
      const env = Object.fromEntries(
        [...secrets, 'ENCRYPTION_KEY'].map((name) => [name, `${name}-of-32-characters-long-enough-to-serve`]),
      );
      const api = scratch.run(process.execPath, ['src/main.ts', 'api'], {
        ...settings,
        ...env,
        NODE_ENV: 'production',
      });
      await api.says(READY, PATIENCE);
      api.signal('SIGTERM');
      expect(await api.ended).toBe(0);
      for (const line of api.output().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg');
      expect(api.output()).not.toContain('long-enough-to-serve');
    },
    PATIENCE,
  );

  it('lists its commands and refuses others', async () => {
    const help = quita('help');
    expect(await help.ended).toBe(0);
    expect(help.output()).toMatch(/quita api[\s\S]*quita worker[\s\S]*quita relay/);
    const wrong = quita('constructor');
    expect(await wrong.ended).toBe(1);
    expect(wrong.output()).toContain('There is no command "constructor"');
  });
});
