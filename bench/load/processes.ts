import { readdirSync, readFileSync } from 'node:fs';

export interface Sample {
  /** Seconds since the beginning of the measurement. */
  readonly at: number;
  /** Bytes that no other process shares and that no file can give back. */
  readonly memory: number;
  readonly files: number;
  /** Seconds of CPU that were used so far. */
  readonly cpu: number;
  readonly processes: number;
}

const TICKS_A_SECOND = 100;

const statusValue = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) * 1_024;

/** The parent of every process of the machine. */
function parents(): Map<number, number> {
  const found = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      found.set(Number(name), Number(stat[1]));
    } catch {
      // The process has ended meanwhile.
    }
  }
  return found;
}

/** A process and all that it has started. */
function familyOf(root: number, tree: ReadonlyMap<number, number>): number[] {
  const family = new Set([root]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const [pid, parent] of tree) if (family.has(parent)) family.add(pid);
  }
  return [...family];
}

/**
 * What a process and its children use together. Memory is what they have allocated, in the swap too: PostgreSQL's
 * backends share their buffers, which fill up once and have a limit, and the system takes pages of program files away
 * and reads them again as it likes. The CPU time of children that have ended is part of it.
 */
function sumOf(pids: readonly number[]): Omit<Sample, 'at'> {
  const sum = { memory: 0, files: 0, cpu: 0, processes: 0 };
  for (const pid of pids) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      sum.files += readdirSync(`/proc/${pid}/fd`).length;
      sum.memory += statusValue(status, 'RssAnon') + statusValue(status, 'VmSwap');
      sum.cpu += [11, 12, 13, 14].reduce((spent, field) => spent + Number(stat[field]), 0) / TICKS_A_SECOND;
      sum.processes += 1;
    } catch {
      // The process has ended meanwhile.
    }
  }
  return sum;
}

export interface Watched {
  readonly name: string;
  readonly pid: number | undefined;
}

export interface Watcher {
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  /** One more look, which is no part of the samples. */
  look(): ReadonlyMap<string, Sample>;
  stop(): void;
}

/** Samples the processes at a steady pace. A process that was started again is the same one. */
export function watchProcesses(processes: () => readonly Watched[], everyMs: number): Watcher {
  const begin = performance.now();
  const samples = new Map<string, Sample[]>();
  const look = (): ReadonlyMap<string, Sample> => {
    const tree = parents();
    const at = (performance.now() - begin) / 1_000;
    return new Map(
      processes().flatMap(({ name, pid }) =>
        pid === undefined ? [] : [[name, { at, ...sumOf(familyOf(pid, tree)) }]],
      ),
    );
  };
  const sample = (): void => {
    for (const [name, seen] of look()) {
      const known = samples.get(name) ?? [];
      samples.set(name, known);
      known.push(seen);
    }
  };
  sample();
  const timer = setInterval(sample, everyMs);
  return {
    samples,
    look,
    stop: () => {
      clearInterval(timer);
      sample();
    },
  };
}
