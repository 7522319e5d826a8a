import { lowest, median, type Point, type Slope, theilSen } from './statistics.ts';

export interface GrowthRule {
  /** The points of the beginning that do not count, as a share of the time. */
  readonly warmUp: number;
  /** The lowest value of each window of this length counts, in seconds. */
  readonly windowSeconds: number;
  /** The growth within an hour from which on an operator would have to act. */
  readonly matters: (level: number) => number;
  /**
   * How many major collections of garbage V8 made within the time that counts; undefined where nothing tells. Between
   * two of them memory rises in any case, so that a window is at least as long.
   */
  readonly majorCollections?: number | undefined;
}

export type GrowthVerdict = 'flat' | 'settling' | 'grows' | 'undecided';

export interface Growth {
  readonly verdict: GrowthVerdict;
  readonly reason: string;
  readonly level: number;
  /** An hour. */
  readonly slope: Slope;
  readonly windows: number;
}

const HOUR = 3_600;
/** With fewer windows the interval is so wide that it excludes nothing. */
const FEWEST_WINDOWS = 8;

const anHour = ({ slope, low, high }: Slope): Slope => ({ slope: slope * HOUR, low: low * HOUR, high: high * HOUR });

/**
 * Tells growth from noise. Memory grows when the interval of its slope excludes zero, when an hour of that slope
 * matters, and when the second half of the time does not show that it comes to an end: a heap and a cache that fill up
 * grow ever more slowly, a leak does not. `x` is in seconds.
 */
export function judgeGrowth(points: readonly Point[], rule: GrowthRule): Growth {
  const first = points[0]?.x ?? 0;
  const last = points.at(-1)?.x ?? 0;
  const from = first + (last - first) * rule.warmUp;
  const { windowSeconds, majorCollections: collections } = rule;
  const width =
    collections === undefined ? windowSeconds : Math.max(windowSeconds, (last - from) / Math.max(collections, 1));
  const windows = lowest(
    points.filter(({ x }) => x >= from).map(({ x, y }) => ({ x: x - from, y })),
    width,
  );
  const level = median(windows.map(({ y }) => y));
  const slope = anHour(theilSen(windows));
  const seen = { level, slope, windows: windows.length };
  if (windows.length < FEWEST_WINDOWS) {
    return {
      ...seen,
      verdict: 'undecided',
      reason: `only ${windows.length} windows of ${width.toFixed(0)} s: measure for longer`,
    };
  }
  const matters = rule.matters(level);
  if (slope.low <= 0) return { ...seen, verdict: 'flat', reason: 'the interval includes zero, or it shrinks' };
  if (slope.slope < matters) return { ...seen, verdict: 'flat', reason: 'an hour of this growth does not matter' };
  const half = windows.length >> 1;
  const early = anHour(theilSen(windows.slice(0, half)));
  const late = anHour(theilSen(windows.slice(half)));
  const isEnding = late.low <= 0 || late.slope < matters || late.slope < early.slope / 2;
  if (late.high < early.slope && isEnding) {
    return { ...seen, verdict: 'settling', reason: 'the growth comes to an end in the second half of the time' };
  }
  return { ...seen, verdict: 'grows', reason: 'the interval excludes zero, and an hour of this growth matters' };
}
