/**
 * The CPU time of this process is compared with that of fixed work in the same seconds, because a limit in milliseconds
 * fails on a slow or busy machine without anything being wrong.
 */
const STEPS = 2_000_000;
// jest runs modules in a context in which each look-up of a global is slow.
const { imul } = Math;
const { cpuUsage } = process;
let sink = 0;

function fixedWork(): void {
  let value = 1;
  for (let step = 0; step < STEPS; step += 1) value = (imul(value, 31) + step) | 0;
  sink += value;
}

/**
 * The parts are added, because Linux knows the exact sum and divides it by what it sampled every few milliseconds: the
 * user's part of the fixed work was zero in some runs, and a unit of nothing made each cost too large. The time of a
 * single thread is no better, because Linux brings that one up to date only every few milliseconds.
 */
function cpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = cpuUsage(before);
  return (user + system) / 1_000;
}

/** Twice the fixed work: about ten milliseconds on an idle machine of 2026. */
function unitMs(): number {
  const runs = Array.from({ length: 3 }, () => {
    const before = cpuUsage();
    fixedWork();
    return cpuMs(before);
  });
  return 2 * Math.min(...runs);
}

/**
 * Returns the CPU time of `work` in units, each about ten milliseconds on an idle machine: the smallest of `runs` runs.
 */
export async function cpuCost(work: () => unknown, { runs = 1 }: { readonly runs?: number } = {}): Promise<number> {
  const unitBefore = unitMs();
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const before = cpuUsage();
    await work();
    best = Math.min(best, cpuMs(before));
  }
  if (sink === 0.5) throw new Error('The fixed work was not done');
  return best / Math.max(unitBefore, unitMs(), 0.5);
}
