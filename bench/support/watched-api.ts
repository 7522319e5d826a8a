import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../../src/platform/runtime/embedded-postgres.ts';
import { startProcess } from './start-process.ts';

/** An API in a process of its own, with an own database, of which the event loop is watched. */
export interface WatchedApi {
  readonly url: string;
  readonly clientId: string;
  readonly token: string;
  readonly call: <Body>(method: string, path: string, body?: unknown) => Promise<Body>;
  /** Returns what the event loop has shown since the last call. */
  readonly readLoop: () => Promise<{ readonly longest: number; readonly p99: number; readonly longestCpu: number }>;
}

/** Gives the API to `work`, and stops everything behind it. */
export async function withWatchedApi(work: (api: WatchedApi) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'quita-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
  let stop: (() => void) | undefined;
  try {
    await migrate(postgres.url);
    const started = await startProcess(new URL('./watched-api-process.ts', import.meta.url), {
      BENCH_DATABASE_URL: postgres.url,
    });
    stop = started.stop;
    const told = started.told as Pick<WatchedApi, 'url' | 'clientId' | 'token'> & { readonly watchUrl: string };
    const { watchUrl, ...api } = told;
    const headers = { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' };
    await work({
      ...api,
      call: async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
        const sent = body === undefined ? {} : { body: JSON.stringify(body) };
        const answer = await fetch(`${api.url}${path}`, { method, headers, ...sent });
        if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
        return (await answer.json()) as Body;
      },
      readLoop: async () => (await fetch(watchUrl)).json() as ReturnType<WatchedApi['readLoop']>,
    });
  } finally {
    stop?.();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
