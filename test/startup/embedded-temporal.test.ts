import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { type RequestOptions, request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type EmbeddedTemporal,
  startEmbeddedTemporal,
  temporalAnswers,
} from '../../src/platform/runtime/embedded-temporal.ts';
import { findTemporal } from '../../src/platform/runtime/find-temporal.ts';
import { startTimeOf } from '../../src/platform/runtime/process-identity.ts';
import { createScratch, eventually, processesWith, ROOT } from './support.ts';

const scratch = createScratch();
const dataDir = join(scratch.folder, 'data');
const pidFile = join(dataDir, 'temporal.pid');
const searchAttributes = { ClientId: 'Keyword', Sandbox: 'Bool' };
let lines: string[] = [];
let server: EmbeddedTemporal | undefined;

const start = async (port = 0, program?: string): Promise<EmbeddedTemporal> => {
  const log = (line: string) => {
    lines.push(line);
  };
  server = await startEmbeddedTemporal({
    dataDir,
    port,
    uiPort: 0,
    namespace: 'default',
    searchAttributes,
    log,
    ...(program === undefined ? {} : { program }),
  });
  return server;
};

const ownerScript = (folder: string): string => `
  const { startEmbeddedTemporal } = await import(${JSON.stringify(join(ROOT, 'src/platform/runtime/embedded-temporal.ts'))});
  const options = { dataDir: ${JSON.stringify(folder)}, port: 0, uiPort: 0, namespace: 'default', log: () => {} };
  const server = await startEmbeddedTemporal(options);
  console.log('ready ' + server.pid());
  setInterval(() => {}, 1000);
`;

/** A Temporal that first writes where its UI shall listen, and then waits until another program has taken that port. */
const waitsForSquatter = (temporal: string): string => `#!/bin/sh
for argument; do
  case $argument in
    --ui-ip=*) printf '%s ' "\${argument#*=}" > "$0.new";;
    --ui-port=*) printf %s "\${argument#*=}" >> "$0.new";;
  esac
done
[ -e "$0.port" ] || mv "$0.new" "$0.port"
until [ -e "$0.taken" ]; do sleep 0.05; done
exec '${temporal}' "$@"
`;

/** The status of an HTTP answer, or nothing from what does not speak HTTP. */
const statusOf = (options: RequestOptions): Promise<number | undefined> =>
  new Promise((resolve) => {
    const asked = request({ ...options, timeout: 5_000 }, (answer) => {
      resolve(answer.statusCode);
      answer.resume();
    });
    asked.once('error', () => resolve(undefined));
    asked.once('timeout', () => asked.destroy());
    asked.end();
  });

/** The IPv4 addresses on which a process listens, by Linux's tables. */
const portsOf = (pid: number): { host: string; port: number }[] => {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /socket:\[(\d+)\]/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    }),
  );
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/);
    if (state !== '0A' || !inodes.has(inode)) return [];
    const [address = '', port = ''] = local.split(':');
    const host = [...Buffer.from(address, 'hex')].reverse().join('.');
    return [{ host, port: Number.parseInt(port, 16) }];
  });
};

beforeEach(() => {
  lines = [];
});
afterEach(() => server?.stop());
afterAll(scratch.clean);

describe('embedded Temporal', () => {
  it('answers for its namespace, serves its UI, and leaves no process when it stops', async () => {
    const { port, uiUrl, address, stop } = await start();
    expect(address).toBe(`127.0.0.1:${port}`);
    expect(await temporalAnswers(port, 'default')).toBe(true);
    expect(await temporalAnswers(port, 'nobody-made-this')).toBe(false);
    expect((await fetch(uiUrl ?? '')).status).toBe(200);
    await stop();
    expect(await temporalAnswers(port, 'default')).toBe(false);
    await eventually(() => processesWith(dataDir).length === 0, 'the watchdogs to end too');
    expect(existsSync(pidFile)).toBe(false);
  });

  it('serves its UI to a browser that names this machine, and to no other host or page', async () => {
    const { port, uiUrl = '' } = await start();
    const ui = new URL(uiUrl);
    const status = (path: string, headers: Record<string, string>, method = 'GET') =>
      statusOf({ host: '127.0.0.1', port: Number(ui.port), path, method, headers });
    const page = '/api/v1/settings';
    expect(await status(page, { host: ui.host })).toBe(200);
    expect(await status(page, { host: `127.0.0.1:${ui.port}` })).toBe(200);
    expect(await status(page, { host: 'rebound.example' })).toBe(403);
    expect(await status(page, { host: `rebound.example:${ui.port}` })).toBe(403);
    expect(await status(page, { host: ui.host, origin: 'https://evil.example' }, 'POST')).toBe(403);
    // Whatever else the server's process listens on answers neither: its HTTP API signals and ends workflows.
    const others = portsOf(server?.pid() ?? 0).filter((one) => one.port !== port);
    expect(others.length).toBeGreaterThan(0);
    for (const { host, port: other } of others.filter((one) => one.host === '127.0.0.1')) {
      const asked = { host, port: other, path: '/api/v1/namespaces', method: 'GET' };
      for (const name of [`localhost:${other}`, 'rebound.example']) {
        expect([403, 404, undefined]).toContain(await statusOf({ ...asked, headers: { host: name } }));
      }
    }
  });

  it('starts on its own data again, where the attributes exist already', async () => {
    const { port } = await start();
    expect(await temporalAnswers(port, 'default')).toBe(true);
  });

  it('logs that its port is taken and uses the next one', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    const taken = await eventually(() => {
      const address = squatter.address();
      return typeof address === 'object' ? address?.port : undefined;
    }, 'a port');
    try {
      const { port } = await start(taken);
      expect(port).toBeGreaterThan(taken);
      expect(lines).toContain(`Port ${taken} (Temporal) is taken: using ${port}`);
    } finally {
      squatter.close();
    }
  });

  it('tries another port for its UI when another program binds the chosen one first', async () => {
    const program = join(scratch.folder, 'temporal-that-waits');
    const real = await findTemporal({ log: () => {} });
    writeFileSync(program, waitsForSquatter(real), { mode: 0o700 });
    const starting = start(0, program);
    const chosen = await eventually(
      () => existsSync(`${program}.port`) && readFileSync(`${program}.port`, 'utf8'),
      'port',
    );
    const [host, port] = String(chosen).split(' ');
    const squatter = createServer((socket) => socket.destroy()).listen(Number(port), host);
    try {
      await once(squatter, 'listening');
      writeFileSync(`${program}.taken`, '');
      const { uiUrl = '' } = await starting;
      expect((await fetch(uiUrl)).status).toBe(200);
    } finally {
      squatter.close();
    }
  });

  it('is restarted at the same address when it is killed', async () => {
    const { port, pid } = await start();
    const before = pid();
    process.kill(before ?? 0, 'SIGKILL');
    await eventually(() => pid() !== undefined && pid() !== before, 'another Temporal');
    expect(await temporalAnswers(port, 'default')).toBe(true);
    expect(lines.at(-1)).toBe('Temporal is back');
  });

  it('does not stop a process that only has the pid of an earlier server', async () => {
    await server?.stop();
    writeFileSync(pidFile, JSON.stringify({ pid: process.ppid, startedAt: 'another time' }));
    await start();
    expect(startTimeOf(process.ppid)).toBeDefined();
    expect(lines.filter((line) => line.includes('stopping'))).toEqual([]);
  });

  it('starts despite a pid file that a crash truncated', async () => {
    await server?.stop();
    writeFileSync(pidFile, '{"pid":');
    expect(await temporalAnswers((await start()).port, 'default')).toBe(true);
  });

  it('waits until the server of a killed owner has ended before it opens the same file', async () => {
    const folder = dataDir;
    await server?.stop();
    const owner = scratch.node(ownerScript(folder));
    const [, pid] = await owner.says(/ready (\d+)/);
    owner.signal('SIGKILL');
    await owner.ended;
    const { port } = await start();
    expect(startTimeOf(Number(pid))).toBeUndefined();
    expect(await temporalAnswers(port, 'default')).toBe(true);
  });

  it('stops when its owner is killed', async () => {
    const folder = join(scratch.folder, 'other');
    const owner = scratch.node(ownerScript(folder));
    await owner.says(/ready/);
    owner.signal('SIGKILL');
    await owner.ended;
    await eventually(() => processesWith(folder).length === 0, 'the watchdog to stop Temporal');
  });
});
