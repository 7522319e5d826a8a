export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Slope {
  readonly slope: number;
  /** The 95 % confidence interval. */
  readonly low: number;
  readonly high: number;
}

const NORMAL_95 = 1.959_964;

/** The value below which `share` of the values lie; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
};

/** How many values share each value that occurs more than once, as the variance of Kendall's S needs it. */
function tieTerm(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum + count * (count - 1) * (2 * count + 5), 0);
}

/**
 * The median of the slopes between all pairs of points (Theil and Sen), with the interval that Sen derived from the
 * distribution of Kendall's S. Up to 29 % of the points may be wild without moving it. The points must not depend on
 * each other: see `lowest`.
 */
export function theilSen(points: readonly Point[]): Slope {
  const slopes: number[] = [];
  for (const [at, one] of points.entries()) {
    for (const other of points.slice(at + 1)) {
      if (other.x !== one.x) slopes.push((other.y - one.y) / (other.x - one.x));
    }
  }
  slopes.sort((a, b) => a - b);
  const n = points.length;
  const variance = (n * (n - 1) * (2 * n + 5) - tieTerm(points.map(({ y }) => y))) / 18;
  const reach = NORMAL_95 * Math.sqrt(Math.max(0, variance));
  const lowAt = Math.max(0, Math.round((slopes.length - reach) / 2) - 1);
  const highAt = Math.min(slopes.length - 1, Math.round((slopes.length + reach) / 2));
  return {
    slope: median(slopes),
    low: slopes[lowAt] ?? Number.NaN,
    high: slopes[highAt] ?? Number.NaN,
  };
}

/**
 * The lowest value of each window. What a process cannot release shows in its lowest memory, whereas single samples
 * depend on how long ago the last garbage collection was, and neighbouring ones on each other.
 */
export function lowest(points: readonly Point[], width: number): Point[] {
  const windows = new Map<number, Point>();
  for (const point of points) {
    const window = Math.floor(point.x / width);
    const known = windows.get(window);
    if (known === undefined || point.y < known.y) windows.set(window, { x: (window + 0.5) * width, y: point.y });
  }
  return [...windows.values()].sort((a, b) => a.x - b.x);
}
