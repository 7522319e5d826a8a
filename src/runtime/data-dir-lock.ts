import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the process that holds the folder tells the others about itself. */
export interface HouseNote {
  pid: number;
  url?: string;
  databaseUrl?: string;
  temporalAddress?: string;
}

export interface DataDirLock {
  /** Publishes where the embedded parts are, for roles and commands started beside this process. */
  publish(note: HouseNote): void;
  release(): void;
}

const NOTE = 'house.json';

/** A handle that nobody refers to is collected, and its lock with it. */
const held = new Set<DatabaseSync>();

/**
 * SQLite's exclusive lock is the kernel's: it ends with the process however that dies, it is no pid that could be recycled,
 * and it holds between containers that share the folder. Undefined when another process has it.
 */
export const lockDataDir = (dataDir: string): DataDirLock | undefined => {
  const file = join(dataDir, 'lock');
  const handle = new DatabaseSync(file);
  try {
    chmodSync(file, 0o600);
    handle.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    handle.close();
    if (/locked|busy/i.test(String(error))) return undefined;
    throw error;
  }
  held.add(handle);
  const note = join(dataDir, NOTE);
  rmSync(note, { force: true });
  return {
    publish: (content) => {
      // It holds the password of the embedded database.
      writeFileSync(`${note}.new`, JSON.stringify(content), { mode: 0o600 });
      renameSync(`${note}.new`, note);
    },
    release: () => {
      rmSync(note, { force: true });
      held.delete(handle);
      handle.close();
    },
  };
};

const isNote = (value: unknown): value is HouseNote =>
  typeof value === 'object' && value !== null && 'pid' in value && typeof value.pid === 'number';

/** The note of the process that holds the folder; undefined while it is still starting. */
export const readHouseNote = (dataDir: string): HouseNote | undefined => {
  try {
    const note: unknown = JSON.parse(readFileSync(join(dataDir, NOTE), 'utf8'));
    return isNote(note) ? note : undefined;
  } catch {
    return undefined;
  }
};

export type Occupancy = { lock: DataDirLock } | { note: HouseNote | undefined };

/** Takes the folder, or waits until the process that has it says where its servers are. */
export const lockOrJoin = async (dataDir: string, patienceMs: number): Promise<Occupancy> => {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const lock = lockDataDir(dataDir);
    if (lock !== undefined) return { lock };
    const note = readHouseNote(dataDir);
    if (note !== undefined || Date.now() >= deadline) return { note };
    await sleep(100);
  }
};
