import { expect } from '@jest/globals';

/**
 * The CPU time of this process is compared with that of fixed work in the same seconds, because a limit in milliseconds
 * fails on a slow or busy machine without anything being wrong. The fixed work is done by the engine's own native code on
 * texts and objects, like most of what is measured: a loop over numbers is not slowed by a neighbour who uses up the
 * caches and the memory, and was five times as slow in the runs in which the engine had not compiled it yet.
 */
const SAMPLE = JSON.stringify(
  Array.from({ length: 12_000 }, (_, id) => ({ id, name: `Conceição Araújo ${id}`, amount: id * 3, paid: null })),
);
let sink = 0;

function fixedWork(): void {
  sink += JSON.stringify(JSON.parse(SAMPLE)).normalize('NFD').length;
}

/**
 * The parts are added, because Linux knows the exact sum and divides it by what it sampled every few milliseconds: the
 * user's part of the fixed work was zero in some runs, and a unit of nothing made each cost too large. The time of a
 * single thread is no better, because Linux brings that one up to date only every few milliseconds.
 */
function cpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The fixed work takes about ten milliseconds on an idle machine of 2026. */
function unitMs(): number {
  const runs = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    fixedWork();
    return cpuMs(before);
  });
  if (sink === 0) throw new Error('The fixed work was not done');
  return Math.min(...runs);
}

/** Returns the CPU time of `work` in units, each about ten milliseconds on an idle machine. */
export async function cpuCost(work: () => unknown): Promise<number> {
  const unitBefore = unitMs();
  const before = process.cpuUsage();
  await work();
  const cost = cpuMs(before);
  return cost / Math.max(unitBefore, unitMs());
}

/**
 * The most CPU time, in milliseconds, that this thread spent in one turn of the event loop while `work` was under way. CPU
 * time and not the clock: a busy machine lets the thread wait, and that is no loop that was held.
 */
export async function longestTurn(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let before = process.threadCpuUsage();
  const note = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
  };
  const timer = setInterval(note, 1);
  try {
    await work();
    // What the last turn has left to do counts too.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    clearInterval(timer);
  }
  note();
  return longest;
}

/**
 * The least of at most five measures, which ends at the first one below `limit`. A collection of what earlier suites left
 * in this process may fall into one measure, but not into each; what the work itself costs, it costs each time.
 */
export async function leastOf(limit: number, measure: () => number | Promise<number>): Promise<number> {
  let least = await measure();
  for (let again = 0; least >= limit && again < 4; again += 1) least = Math.min(least, await measure());
  return least;
}

/** Holds that `work` costs less CPU time than so many units. */
export async function expectCostBelow(units: number, work: () => unknown): Promise<void> {
  expect(await leastOf(units, () => cpuCost(work))).toBeLessThan(units);
}
