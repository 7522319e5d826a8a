import type { ReportedFigure } from '../support/report.ts';

const RUNS = 5;
const STEPS = 10_000_000;
// jest runs modules in a context in which each look-up of a global is slow.
const { imul } = Math;

/** The shortest time of a fixed piece of work on one core, in milliseconds: how fast this machine is now. */
export function fixedWorkMs(): number {
  let shortest = Number.POSITIVE_INFINITY;
  let value = 1;
  for (let run = 0; run < RUNS; run += 1) {
    const start = performance.now();
    for (let step = 0; step < STEPS; step += 1) value = (imul(value, 31) + step) | 0;
    shortest = Math.min(shortest, performance.now() - start);
  }
  // The sum is used, so that V8 cannot leave the work out.
  return value === 0.5 ? Number.NaN : shortest;
}

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1_000 };

/**
 * A time or a rate that has no reference of its own is compared with the fixed work, so that a slower machine does not
 * look like a slower release.
 */
export function withYardstick(figure: ReportedFigure, workMs: number): ReportedFigure {
  if (figure.baseline !== undefined) return figure;
  const name = 'fixed work of one core';
  const unit = MILLISECONDS[figure.unit];
  if (unit !== undefined) {
    const value = workMs / unit;
    return { ...figure, baseline: { name, value }, ratio: figure.value / value };
  }
  if (figure.unit !== '/s') return figure;
  const value = 1_000 / workMs;
  return { ...figure, baseline: { name, value }, ratio: figure.value / value };
}
