import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateway } from '../../../src/temporal/gateway.ts';
import { eventually } from './eventually.ts';

const PROGRAM = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'quita/temporal-1.5.1/temporal');

export interface TemporalServer {
  readonly target: { readonly address: string; readonly namespace: string };
  start(): Promise<void>;
  /** Like a crash: no time to tidy up. */
  kill(): Promise<void>;
  remove(): Promise<void>;
}

/** A real server on a port and a file of its own; it keeps what it knows over `kill` and `start`. */
export async function createTemporalServer(): Promise<TemporalServer> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'quita-temporal-'));
  const target = { address: `127.0.0.1:${port}`, namespace: 'default' };
  let child: ChildProcess | undefined;

  async function kill(): Promise<void> {
    if (child === undefined || child.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    child = undefined;
  }

  return {
    target,
    kill,
    async start() {
      const args = [
        'server',
        'start-dev',
        '--headless',
        '--ip',
        '127.0.0.1',
        '--port',
        String(port),
        '--log-level',
        'never',
      ];
      args.push('--db-filename', join(folder, 'temporal.db'));
      args.push('--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL');
      child = spawn(PROGRAM, args, { stdio: 'ignore' });
      const gateway = createGateway({ ...target, taskQueue: 'none', deadlineMs: 1_000 });
      try {
        await eventually(async () => {
          await gateway.ping();
          await gateway.ensureSearchAttributes();
        });
      } finally {
        await gateway.close();
      }
    },
    async remove() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
