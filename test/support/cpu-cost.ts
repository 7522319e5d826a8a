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

const userMs = (before: NodeJS.CpuUsage): number => cpuUsage(before).user / 1_000;

/** Twice the fixed work: about ten milliseconds on an idle machine of 2026. */
function unitMs(): number {
  const runs = Array.from({ length: 3 }, () => {
    const before = cpuUsage();
    fixedWork();
    return userMs(before);
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
    best = Math.min(best, userMs(before));
  }
  if (sink === 0.5) throw new Error('The fixed work was not done');
  return best / Math.max(unitBefore, unitMs(), 0.5);
}
