import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  /** Takes all the space that is left, and more of it when the server has freed some. */
  fill(): void;
  empty(): void;
  unmount(): void;
}

/** PostgreSQL with a run's data needs about half of it. */
const SIZE_MB = 640;
const BLOCK = Buffer.alloc(1024 * 1024);

/** Mounts a small disk in memory, or returns null where this process may not mount. */
export function mountSmallDisk(folder: string): SmallDisk | null {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=755`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      const file = openSync(filler, 'a');
      try {
        for (let size = BLOCK.length; size >= 4096; size = Math.floor(size / 2)) {
          try {
            while (writeSync(file, BLOCK, 0, size) === size);
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          }
        }
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(filler, { force: true }),
    unmount: () => void execFileSync('umount', ['-l', folder], { stdio: 'ignore' }),
  };
}
