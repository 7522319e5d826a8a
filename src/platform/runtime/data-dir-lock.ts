import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** Describes the process that holds the folder to other processes. */
export interface InstanceNote {
  pid: number;
  url?: string;
  databaseUrl?: string;
  temporalAddress?: string;
}

export interface DataDirLock {
  /** Publishes the addresses of the embedded servers for roles and commands that run in other processes. */
  publish(note: InstanceNote): void;
  release(): void;
}

const NOTE = 'instance.json';

/** Keeps a reference to each open handle: garbage collection of a handle would release its lock. */
const held = new Set<DatabaseSync>();

/**
 * Takes SQLite's exclusive lock on the folder, or returns undefined when another process holds it. The kernel keeps
 * this lock: it is released however the process ends, it does not depend on a pid that could be reused, and it also
 * works between containers that share the folder.
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
      // The file contains the password of the embedded database, so only its owner may read it.
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

const isNote = (value: unknown): value is InstanceNote =>
  typeof value === 'object' && value !== null && 'pid' in value && typeof value.pid === 'number';

/** Reads the note of the process that holds the folder; it is undefined while that process is still starting. */
export const readInstanceNote = (dataDir: string): InstanceNote | undefined => {
  try {
    const note: unknown = JSON.parse(readFileSync(join(dataDir, NOTE), 'utf8'));
    return isNote(note) ? note : undefined;
  } catch {
    return undefined;
  }
};

export type Occupancy = { lock: DataDirLock } | { note: InstanceNote | undefined };

/** Takes the lock, or waits until the process that holds it has published the addresses of its servers. */
export const lockOrJoin = async (dataDir: string, timeoutMs: number): Promise<Occupancy> => {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const lock = lockDataDir(dataDir);
    if (lock !== undefined) return { lock };
    const note = readInstanceNote(dataDir);
    if (note !== undefined || Date.now() >= deadline) return { note };
    await sleep(100);
  }
};
