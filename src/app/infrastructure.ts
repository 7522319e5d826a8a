import type { Config } from '../platform/config/index.ts';
import { prepareDataDir } from '../platform/runtime/data-dir.ts';
import {
  type DataDirLock,
  type InstanceNote,
  lockDataDir,
  lockOrJoin,
  readInstanceNote,
} from '../platform/runtime/data-dir-lock.ts';
import { startEmbeddedPostgres } from '../platform/runtime/embedded-postgres.ts';
import { startEmbeddedTemporal } from '../platform/runtime/embedded-temporal.ts';
import type { Shutdown } from '../platform/runtime/shutdown.ts';

/** Long enough for another process to build Temporal for the first time. */
const JOIN_PATIENCE_MS = 10 * 60_000;
const POSTGRES_PORT = 15_432;

export interface Infrastructure {
  databaseUrl: string;
  temporalAddress: string;
  /** The address of the embedded server's UI. */
  temporalUiUrl?: string | undefined;
  /** Publishes the addresses for roles and commands that are started later. */
  announce(url: string | undefined): void;
}

interface Plan {
  config: Config;
  /** True when the servers of another process on the same folder may be used, as by a single role or a command. */
  mayJoin: boolean;
  shutdown: Shutdown;
  log: (line: string) => void;
}

const alreadyRuns = (folder: string, note: InstanceNote | undefined): Error => {
  const who = note === undefined ? '' : ` (pid ${note.pid}${note.url === undefined ? '' : `, ${note.url}`})`;
  return new Error(`Quita already runs on ${folder}${who}: stop it, or set another DATA_DIR`);
};

const join = (config: Config, folder: string, note: InstanceNote | undefined): Infrastructure => {
  const databaseUrl = config.databaseUrl ?? note?.databaseUrl;
  const temporalAddress = config.temporal.address ?? note?.temporalAddress;
  if (databaseUrl === undefined || temporalAddress === undefined) throw alreadyRuns(folder, note);
  return { databaseUrl, temporalAddress, announce: () => {} };
};

const startPostgres = async (folder: string, { shutdown, log }: Pick<Plan, 'shutdown' | 'log'>): Promise<string> => {
  const server = await startEmbeddedPostgres({ dataDir: folder, port: POSTGRES_PORT, log });
  shutdown.add('PostgreSQL', server.stop);
  log(`PostgreSQL: ready on port ${server.port}`);
  return server.url;
};

const startParts = async (
  { config, shutdown, log }: Plan,
  folder: string,
): Promise<Omit<Infrastructure, 'announce'>> => {
  const { databaseUrl, temporal } = config;
  const postgres = async () => databaseUrl ?? (await startPostgres(folder, { shutdown, log }));
  const engine = async () => {
    if (temporal.address !== undefined) return { temporalAddress: temporal.address };
    const { port, uiPort, namespace, searchAttributes } = temporal;
    const server = await startEmbeddedTemporal({ dataDir: folder, port, uiPort, namespace, searchAttributes, log });
    shutdown.add('Temporal', server.stop);
    log(`Temporal: ready on port ${server.port}`);
    return { temporalAddress: server.address, temporalUiUrl: server.uiUrl };
  };
  // Both starts are awaited also when one fails, so that the shutdown stops every server that has started.
  const [url, reached] = await Promise.allSettled([postgres(), engine()]);
  if (url.status === 'rejected') throw url.reason;
  if (reached.status === 'rejected') throw reached.reason;
  return { databaseUrl: url.value, ...reached.value };
};

const takeFolder = async (folder: string, mayJoin: boolean): Promise<{ lock?: DataDirLock; note?: InstanceNote }> => {
  if (!mayJoin) {
    const lock = lockDataDir(folder);
    if (lock === undefined) throw alreadyRuns(folder, readInstanceNote(folder));
    return { lock };
  }
  const taken = await lockOrJoin(folder, JOIN_PATIENCE_MS);
  if ('lock' in taken) return { lock: taken.lock };
  return taken.note === undefined ? {} : { note: taken.note };
};

/** Connects to the PostgreSQL and the Temporal that the configuration names, and starts embedded ones otherwise. */
export const startInfrastructure = async (plan: Plan): Promise<Infrastructure> => {
  const { config, shutdown } = plan;
  const { databaseUrl } = config;
  const temporalAddress = config.temporal.address;
  if (databaseUrl !== undefined && temporalAddress !== undefined) {
    return { databaseUrl, temporalAddress, announce: () => {} };
  }
  const folder = prepareDataDir(config.dataDir);
  const { lock, note } = await takeFolder(folder, plan.mayJoin);
  if (lock === undefined) return join(config, folder, note);
  shutdown.add('the lock of DATA_DIR', async () => lock.release());
  const parts = await startParts(plan, folder);
  return {
    ...parts,
    announce: (url) => {
      const { databaseUrl: database, temporalAddress: temporal } = parts;
      lock.publish({ pid: process.pid, ...(url && { url }), databaseUrl: database, temporalAddress: temporal });
    },
  };
};

/** Returns the database for a command: the one of a running instance on the same folder, or else an embedded one. */
export const startDatabase = async (plan: Omit<Plan, 'mayJoin'>): Promise<string> => {
  const { config, shutdown } = plan;
  if (config.databaseUrl !== undefined) return config.databaseUrl;
  const folder = prepareDataDir(config.dataDir);
  const { lock, note } = await takeFolder(folder, true);
  if (lock !== undefined) {
    shutdown.add('the lock of DATA_DIR', async () => lock.release());
    return startPostgres(folder, plan);
  }
  if (note?.databaseUrl === undefined) throw alreadyRuns(folder, note);
  return note.databaseUrl;
};

/** Returns the address of Temporal for a command: the configured one, or that of a running instance on the folder. */
export const findTemporalAddress = (config: Config): string => {
  const { address } = config.temporal;
  if (address !== undefined) return address;
  const folder = prepareDataDir(config.dataDir);
  const running = readInstanceNote(folder)?.temporalAddress;
  if (running === undefined) throw new Error(`Quita does not run on ${folder}: start it first`);
  return running;
};
