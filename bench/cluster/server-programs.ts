import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const SERVER_VERSION = '1.31.0';

/** Go's own installer does not change the PATH. */
const GO_FOLDERS = ['/usr/local/go/bin'];
const MODULE = 'go.temporal.io/server/cmd';

export interface ServerPrograms {
  /** Runs the services. */
  readonly server: string;
  /** Makes the schemas. */
  readonly sql: string;
}

const cacheFolder = (): string =>
  join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'quita', `temporal-server-${SERVER_VERSION}`);

/** Builds Temporal's server and its schema tool from their Go module, once, outside the checkout. */
export async function buildServerPrograms(log: (line: string) => void): Promise<ServerPrograms> {
  const folder = cacheFolder();
  const programs = { server: join(folder, 'server'), sql: join(folder, 'sql') };
  if (existsSync(programs.server) && existsSync(programs.sql)) return programs;
  log(`Temporal: building the server ${SERVER_VERSION} from its Go module (once, about two minutes)`);
  mkdirSync(folder, { recursive: true });
  // Whoever finds a program in the folder finds it complete.
  const building = mkdtempSync(join(folder, 'building-'));
  try {
    const path = [process.env['PATH'] ?? '', ...GO_FOLDERS].join(':');
    for (const program of ['server', 'tools/sql']) {
      await run('go', ['install', `${MODULE}/${program}@v${SERVER_VERSION}`], {
        env: { ...process.env, PATH: path, GOBIN: building },
        maxBuffer: 16 * 1024 * 1024,
      });
    }
    for (const [name, program] of Object.entries(programs)) renameSync(join(building, name), program);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
  return programs;
}
