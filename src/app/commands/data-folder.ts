import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { flushFolder } from '../../platform/runtime/backup/write-archive.ts';
import { type DataDirLock, lockDataDir, readInstanceNote } from '../../platform/runtime/data-dir-lock.ts';
import { momentInName } from './backup.ts';

/** Files that an interrupted start leaves, and that are of no worth. */
const WORTHLESS = ['lock', 'instance.json'];

const hasContent = (folder: string): boolean => readdirSync(folder).some((name) => !WORTHLESS.includes(name));

/** Takes the lock of a folder that exists, so that nothing starts on it meanwhile. Returns what releases it, once. */
export function takeFolder(folder: string, force: boolean): () => void {
  if (!existsSync(folder)) return () => {};
  const lock = lockDataDir(folder);
  if (lock === undefined) {
    const pid = readInstanceNote(folder)?.pid;
    throw new Error(`Quita runs on ${folder}${pid === undefined ? '' : ` (pid ${pid})`}: stop it first`);
  }
  if (!force && hasContent(folder)) {
    lock.release();
    throw new Error(
      `${folder} is not empty: name another folder with --data-dir, or keep what is in it under another name with --force`,
    );
  }
  let held: DataDirLock | undefined = lock;
  return () => {
    held?.release();
    held = undefined;
  };
}

/** Makes room under the name of the folder. Returns where its former contents are kept, if it had any. */
function moveAside(folder: string, release: () => void, now: Date): string | undefined {
  if (!existsSync(folder)) return undefined;
  const former = hasContent(folder) ? `${folder}.before-restore-${momentInName(now)}` : undefined;
  if (former !== undefined) renameSync(folder, former);
  release();
  for (const name of WORTHLESS) rmSync(join(former ?? folder, name), { force: true });
  if (former === undefined) rmdirSync(folder);
  return former;
}

/** Gives the restored folder the name of the data folder. Returns where the former contents are kept. */
export async function putInPlace(restored: string, folder: string, release: () => void, now: Date) {
  const former = moveAside(folder, release, now);
  try {
    renameSync(restored, folder);
  } catch (error) {
    if (former !== undefined) renameSync(former, folder);
    throw error;
  }
  await flushFolder(dirname(folder));
  return former;
}
