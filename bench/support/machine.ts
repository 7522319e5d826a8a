import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

function git(...args: readonly string[]): string | null {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}

export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryGiB: number;
  readonly platform: string;
  readonly node: string;
  /** Null outside of a checkout. `changed` tells whether its files differ from that commit. */
  readonly commit: string | null;
  readonly changed: boolean | null;
}

/** Figures mean little without the machine on which they were measured. */
export function machine(): Machine {
  const changes = git('status', '--porcelain');
  return {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    commit: git('rev-parse', '--short', 'HEAD'),
    changed: changes === null ? null : changes !== '',
  };
}
