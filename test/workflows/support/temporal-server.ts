import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedTemporal, startEmbeddedTemporal } from '../../../src/platform/runtime/embedded-temporal.ts';
import { takePort } from '../../../src/platform/runtime/free-port.ts';
import { createGateway } from '../../../src/platform/temporal/gateway.ts';
import { eventually } from './eventually.ts';

export interface TemporalServer {
  readonly target: { readonly address: string; readonly namespace: string };
  start(): Promise<void>;
  /** Kills the server. It stays down until the next `start`, and keeps its data. */
  kill(): Promise<void>;
  remove(): Promise<void>;
}

const quiet = (): void => {};

/** Starts a separate real server as the product does, for tests that stop it. */
export async function createTemporalServer(): Promise<TemporalServer> {
  const port = await takePort({ name: 'Temporal', preferred: 0, log: quiet });
  const dataDir = await mkdtemp(join(tmpdir(), 'quita-temporal-'));
  const target = { address: `127.0.0.1:${port}`, namespace: 'default' };
  let server: EmbeddedTemporal | undefined;

  async function stop(): Promise<void> {
    await server?.stop();
    server = undefined;
  }

  return {
    target,
    async kill() {
      const pid = server?.pid();
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      await stop();
    },
    async start() {
      if (server !== undefined) return;
      server = await startEmbeddedTemporal({ dataDir, port, uiPort: 0, ui: false, namespace: 'default', log: quiet });
      if (server.port !== port) throw new Error(`port ${port} was taken by another program`);
      const gateway = createGateway({ ...target, taskQueue: 'none', deadlineMs: 5_000 });
      try {
        // Channels to one address share their back-off, also with channels that failed to connect before.
        await eventually(() => gateway.ensureSearchAttributes());
      } finally {
        await gateway.close();
      }
    },
    async remove() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
