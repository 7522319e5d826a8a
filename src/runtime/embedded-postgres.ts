import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onFreePort } from './free-port.ts';
import { preparePostgresCluster } from './postgres-cluster.ts';
import { findPostgresPrograms, type PostgresPrograms } from './postgres-programs.ts';
import { commandOf, startTimeOf, stopStranger } from './process-identity.ts';
import { supervise } from './supervisor.ts';
import { lastLogLines, startWatchedChild, type WatchedChild } from './watched-child.ts';

const START_DEADLINE_MS = 60_000;
const STOP_GRACE_MS = 20_000;
/** After a kill -9 of the postmaster its sessions need a moment to notice, and hold the shared memory until then. */
const RECOVERY_DEADLINE_MS = 15_000;

export interface EmbeddedPostgresOptions {
  dataDir: string;
  /** Preferred port; without one the operating system chooses. */
  port?: number;
  /** False survives a killed server but not a crash of the machine, and is faster: for tests. */
  durable?: boolean;
  log: (line: string) => void;
}

export interface EmbeddedPostgres {
  /** Of the login `quita`, which owns the database and is no superuser. */
  url: string;
  port: number;
  pid(): number | undefined;
  onExit(listener: (reason: string) => void): void;
  stop(): Promise<void>;
}

const serverFlags = (clusterDir: string, port: number, durable: boolean): string[] => {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `port=${port}`,
    'max_connections=200',
    'timezone=UTC',
    // The ORM writes values into the text of its statements: a failed one must not put a debtor's data into the log.
    'log_min_error_statement=panic',
    'log_error_verbosity=terse',
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off']),
  ];
  return ['-D', clusterDir, ...settings.flatMap((setting) => ['-c', setting])];
};

const postmasterFile = (clusterDir: string): string[] => {
  try {
    return readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
};

/** Ends a server that an earlier life left on this cluster, or removes its pid file when the pid is somebody else's now. */
const clearLeftovers = async (clusterDir: string, log: (line: string) => void): Promise<boolean> => {
  const pid = Number(postmasterFile(clusterDir)[0]);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  if (startTimeOf(pid) !== undefined && commandOf(pid).includes(clusterDir)) {
    log(`PostgreSQL of an earlier start still runs (pid ${pid}): stopping it`);
    await stopStranger(pid, 'SIGINT', STOP_GRACE_MS);
  }
  rmSync(join(clusterDir, 'postmaster.pid'), { force: true });
  return true;
};

const untilReady = async (child: WatchedChild, clusterDir: string): Promise<boolean> => {
  const deadline = Date.now() + START_DEADLINE_MS;
  while (!child.hasExited() && Date.now() < deadline) {
    const lines = postmasterFile(clusterDir);
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return true;
    await Promise.race([sleep(20), child.exited]);
  }
  return false;
};

const launch = async (
  programs: PostgresPrograms,
  place: { clusterDir: string; logFile: string; port: number; durable: boolean; log: (line: string) => void },
): Promise<WatchedChild> => {
  const recovering = await clearLeftovers(place.clusterDir, place.log);
  const deadline = Date.now() + (recovering ? RECOVERY_DEADLINE_MS : 0);
  for (;;) {
    const { command, args } = programs.asServer(serverFlags(place.clusterDir, place.port, place.durable));
    const child = startWatchedChild({
      command,
      args,
      stopSignal: 'SIGINT',
      logFile: place.logFile,
      ...(programs.user === undefined ? {} : { user: programs.user }),
    });
    if (await untilReady(child, place.clusterDir)) return child;
    await child.stop(0);
    if (Date.now() > deadline) throw new Error(`PostgreSQL did not start:\n${lastLogLines(place.logFile)}`);
    await sleep(200);
  }
};

export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const { log, durable = true } = options;
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const programs = await findPostgresPrograms(dataDir);
  const { clusterDir, password } = await preparePostgresCluster({ dataDir, programs, log });
  await clearLeftovers(clusterDir, log);
  const logFile = join(dataDir, 'postgres.log');
  const startOn = async (port: number): Promise<EmbeddedPostgres> => {
    const server = await supervise({
      name: 'PostgreSQL',
      launch: () => launch(programs, { clusterDir, logFile, port, durable, log }),
      stopGraceMs: STOP_GRACE_MS,
      log,
    });
    return { ...server, url: `postgresql://quita:${password}@127.0.0.1:${port}/quita`, port };
  };
  return onFreePort({ name: 'PostgreSQL', preferred: options.port ?? 0, log }, startOn);
};
