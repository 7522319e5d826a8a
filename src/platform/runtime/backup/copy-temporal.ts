import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';

const BUSY_TIMEOUT_MS = 30_000;
/** One step copies all pages in one read transaction, so that a server that writes meanwhile does not restart the copy. */
const ALL_PAGES = 0x7fff_ffff;

export const temporalFile = (dataDir: string): string => join(dataDir, 'temporal.db');

/** Copies the data of the embedded Temporal as of one moment, while the server goes on working. */
export const copyTemporal = async (dataDir: string, target: string): Promise<boolean> => {
  const file = temporalFile(dataDir);
  if (!existsSync(file)) return false;
  const source = new DatabaseSync(file);
  try {
    source.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    await backup(source, target, { rate: ALL_PAGES });
    chmodSync(target, 0o600);
    return true;
  } finally {
    source.close();
  }
};
