import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onFreePort } from './free-port.ts';
import { clusterDirOf, preparePostgresCluster, RUNS_NOTHING } from './postgres-cluster.ts';
import { findPostgresPrograms, type PostgresPrograms } from './postgres-programs.ts';
import { commandOf, startTimeOf, stopForeignProcess } from './process-identity.ts';
import { supervise } from './supervisor.ts';
import { lastLogLines, startWatchedChild, type WatchedChild } from './watched-child.ts';

const START_DEADLINE_MS = 60_000;
const STOP_GRACE_MS = 20_000;
/** After the postmaster was killed with SIGKILL, its sessions hold the shared memory until they notice. */
const RECOVERY_DEADLINE_MS = 15_000;

export interface EmbeddedPostgresOptions {
  dataDir: string;
  /** The preferred port; any free port is chosen when it is not given. */
  port?: number;
  /** With false, data survives a killed server but not a crash of the machine. Tests use it because it is faster. */
  durable?: boolean;
  log: (line: string) => void;
}

export interface EmbeddedPostgres {
  /** Connects as the login `quita`, which owns the database and is no superuser. */
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
    // The ORM writes values into the SQL text, so logging a failed statement would put a debtor's data into the log.
    'log_min_error_statement=panic',
    'log_error_verbosity=terse',
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off']),
  ];
  return ['-D', clusterDir, ...RUNS_NOTHING, ...settings.flatMap((setting) => ['-c', setting])];
};

const postmasterFile = (clusterDir: string): string[] => {
  try {
    return readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
};

/**
 * Stops a server that an earlier start left on this cluster. When its pid now belongs to another program, only the pid
 * file is removed.
 */
const clearLeftovers = async (clusterDir: string, log: (line: string) => void): Promise<boolean> => {
  const pid = Number(postmasterFile(clusterDir)[0]);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  if (startTimeOf(pid) !== undefined && commandOf(pid).includes(clusterDir)) {
    log(`PostgreSQL of an earlier start still runs (pid ${pid}): stopping it`);
    await stopForeignProcess(pid, 'SIGINT', STOP_GRACE_MS);
  }
  rmSync(join(clusterDir, 'postmaster.pid'), { force: true });
  return true;
};

const waitUntilReady = async (child: WatchedChild, clusterDir: string): Promise<boolean> => {
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
  plan: { clusterDir: string; logFile: string; port: number; durable: boolean; log: (line: string) => void },
): Promise<WatchedChild> => {
  const recovering = await clearLeftovers(plan.clusterDir, plan.log);
  const deadline = Date.now() + (recovering ? RECOVERY_DEADLINE_MS : 0);
  for (;;) {
    const { command, args } = programs.asServer(serverFlags(plan.clusterDir, plan.port, plan.durable));
    const child = startWatchedChild({
      command,
      args,
      stopSignal: 'SIGINT',
      logFile: plan.logFile,
      ...(programs.user === undefined ? {} : { user: programs.user }),
    });
    if (await waitUntilReady(child, plan.clusterDir)) return child;
    await child.stop(0);
    if (Date.now() > deadline) throw new Error(`PostgreSQL did not start:\n${lastLogLines(plan.logFile)}`);
    await sleep(200);
  }
};

export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const { log, durable = true } = options;
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const programs = await findPostgresPrograms(dataDir);
  await clearLeftovers(clusterDirOf(dataDir), log);
  const { clusterDir, password } = await preparePostgresCluster({ dataDir, programs, log });
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
