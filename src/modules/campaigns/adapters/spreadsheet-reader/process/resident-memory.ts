import { readFileSync } from 'node:fs';

/**
 * Returns the memory that a process occupies, or 0 where the system does not say it at once: only Linux does, where the
 * service runs in production.
 */
export function residentMb(pid: number | undefined): number {
  if (pid === undefined || process.platform !== 'linux') return 0;
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_024;
  } catch {
    // The process has ended.
    return 0;
  }
}
