import { readdirSync, readFileSync } from 'node:fs';

/** CPU seconds of a process and of all that it has started, without those in `except` and what they have started. */
export function cpuSecondsOf(root: number, except: readonly number[] = []): number {
  const parents = new Map<number, number>();
  const ticks = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      parents.set(Number(name), Number(fields[1]));
      // Own time in user and system mode, and that of children that have ended.
      ticks.set(
        Number(name),
        [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0),
      );
    } catch {
      // The process has ended meanwhile.
    }
  }
  const isOurs = (pid: number): boolean =>
    !except.includes(pid) && (pid === root || (pid > 1 && isOurs(parents.get(pid) ?? 0)));
  return [...ticks].reduce((sum, [pid, spent]) => sum + (isOurs(pid) ? spent : 0), 0) / 100;
}
