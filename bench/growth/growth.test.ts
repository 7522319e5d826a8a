import { describe, expect, it } from '@jest/globals';
import { createNumbers } from '../../scripts/random-numbers.ts';
import { judgeGrowth } from '../load/growth.ts';
import { lowest, type Point, quantile, theilSen } from '../load/statistics.ts';

const MIB = 1_024 * 1_024;
const SECONDS = 600;
const EVERY = 2;
const RULE = { warmUp: 0.3, windowSeconds: 20, matters: (level: number) => Math.max(16 * MIB, level / 10) };
const SEEDS = Array.from({ length: 200 }, (_, seed) => seed + 1);

const gauss = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Samples of ten minutes. */
const series = (value: (at: number) => number): Point[] =>
  Array.from({ length: SECONDS / EVERY }, (_, n) => ({ x: n * EVERY, y: value(n * EVERY) }));

/** A process of 150 MiB whose samples hang together, as those of a real one do. */
function noise(seed: number, { deviation = 3 * MIB, kept = 0.8 } = {}) {
  const random = createNumbers(seed);
  let state = 0;
  return () => {
    state = kept * state + Math.sqrt(1 - kept * kept) * deviation * gauss(random);
    return 150 * MIB + state;
  };
}

/** A heap that grows by garbage until V8 collects it, each 9 to 15 seconds. */
function sawtooth(seed: number) {
  const random = createNumbers(seed);
  let [begin, length] = [0, 12];
  return (at: number) => {
    if (at - begin > length) [begin, length] = [at, 9 + 6 * random()];
    return 100 * MIB + (at - begin) * 4 * MIB + random() * MIB;
  };
}

const verdicts = (make: (seed: number) => Point[], rule: Parameters<typeof judgeGrowth>[1] = RULE) =>
  SEEDS.map((seed) => judgeGrowth(make(seed), rule).verdict);
const share = (all: readonly string[], wanted: string): number =>
  all.filter((one) => one === wanted).length / all.length;

describe('the slope', () => {
  it('is exact for a line, whatever a quarter of the points does', () => {
    const points = series((at) => 5 + 0.5 * at).map(({ x, y }, n) => ({ x, y: n % 4 === 0 ? 1_000_000 : y }));
    expect(theilSen(points.filter((_, n) => n % 4 !== 0)).slope).toBeCloseTo(0.5, 10);
    expect(theilSen(points).slope).toBeCloseTo(0.5, 1);
  });

  it('has an interval that contains the true slope in about 95 of 100 cases', () => {
    const covered = SEEDS.filter((seed) => {
      const random = createNumbers(seed);
      const points = Array.from({ length: 30 }, (_, x) => ({ x, y: 2 * x + 10 * gauss(random) }));
      const { low, high } = theilSen(points);
      return low <= 2 && 2 <= high;
    });
    expect(covered.length / SEEDS.length).toBeGreaterThan(0.9);
    expect(covered.length / SEEDS.length).toBeLessThan(1);
  });

  it('of equal values is zero with an interval of zero', () => {
    expect(theilSen(series(() => 7))).toEqual({ slope: 0, low: 0, high: 0 });
  });
});

describe('what stands for a window', () => {
  it('is its lowest value, in the middle of the window', () => {
    const points = [
      { x: 0, y: 5 },
      { x: 9, y: 3 },
      { x: 10, y: 8 },
    ];
    expect(lowest(points, 10)).toEqual([
      { x: 5, y: 3 },
      { x: 15, y: 8 },
    ]);
  });
});

describe('the verdict on growth', () => {
  it('finds a leak of 60 MiB an hour under noise and under garbage', () => {
    const leak = (at: number) => (at / 3_600) * 60 * MIB;
    const leaks = verdicts((seed) => {
      const value = noise(seed, { deviation: MIB });
      return series((at) => value() + leak(at));
    });
    expect(share(leaks, 'grows')).toBeGreaterThan(0.9);
    const hidden = verdicts((seed) => {
      const value = sawtooth(seed);
      return series((at) => value(at) + leak(at));
    });
    expect(share(hidden, 'grows')).toBeGreaterThan(0.9);
  });

  it('is not misled by noise, by garbage, or by a single jump of the samples', () => {
    const flat = verdicts((seed) => series(noise(seed, { deviation: MIB })));
    expect(share(flat, 'grows')).toBeLessThan(0.05);
    expect(
      share(
        verdicts((seed) => series(sawtooth(seed))),
        'grows',
      ),
    ).toBeLessThan(0.05);
    const jump = verdicts((seed) => {
      const value = noise(seed, { deviation: MIB });
      return series((at) => value() + (at > 300 && at < 330 ? 80 * MIB : 0));
    });
    expect(share(jump, 'grows')).toBeLessThan(0.05);
  });

  it('says of memory that fills up that it settles or is flat, not that it grows', () => {
    const filling = verdicts((seed) => {
      const value = noise(seed, { deviation: MIB / 2 });
      return series((at) => value() + 60 * MIB * (1 - Math.exp(-at / 90)));
    });
    expect(share(filling, 'grows')).toBeLessThan(0.05);
    expect(share(filling, 'settling')).toBeGreaterThan(0.5);
  });

  it('does not take the rise between two collections of a large heap for growth', () => {
    const rise = (seed: number) => {
      const random = createNumbers(seed);
      let [begin, length] = [0, 60];
      return series((at) => {
        if (at - begin > length) [begin, length] = [at, 45 + 30 * random()];
        return 300 * MIB + (at - begin) * 1.3 * MIB + random() * MIB;
      });
    };
    const often = { ...RULE, majorCollections: 7 };
    expect(
      share(
        verdicts((seed) => rise(seed), often),
        'grows',
      ),
    ).toBeLessThan(0.05);
    // With more collections the windows are short enough to find a leak of two mebibytes a minute beneath.
    const many = { ...RULE, majorCollections: 40 };
    const leaking = verdicts((seed) => {
      const value = sawtooth(seed);
      return series((at) => value(at) + at * (MIB / 30));
    }, many);
    expect(share(leaking, 'grows')).toBeGreaterThan(0.9);
  });

  it('lets a small growth pass, however certain it is', () => {
    const { verdict, slope } = judgeGrowth(
      series((at) => 150 * MIB + at * 2_000),
      RULE,
    );
    expect(slope.low).toBeGreaterThan(0);
    expect(verdict).toBe('flat');
  });

  it('decides nothing from a short time, nor from a heap that V8 has hardly collected', () => {
    const growing = series((at) => 150 * MIB + at * 100_000);
    expect(judgeGrowth(growing.slice(0, 60), RULE).verdict).toBe('undecided');
    expect(judgeGrowth(growing, { ...RULE, majorCollections: 0 }).verdict).toBe('undecided');
    expect(judgeGrowth(growing, { ...RULE, majorCollections: 5 }).verdict).toBe('undecided');
    expect(judgeGrowth(growing, { ...RULE, majorCollections: 20 }).verdict).toBe('grows');
  });

  it('finds files that are never closed, one in ten seconds', () => {
    const rule = { ...RULE, matters: () => 10 };
    const files = (seed: number) => {
      const random = createNumbers(seed);
      return (at: number) => 60 + Math.floor(at / 10) + Math.floor(random() * 5);
    };
    expect(
      share(
        verdicts((seed) => series(files(seed)), rule),
        'grows',
      ),
    ).toBeGreaterThan(0.95);
  });
});

describe('a quantile', () => {
  it('is a value that was seen, and NaN of nothing', () => {
    expect(quantile([3, 1, 2], 0.5)).toBe(2);
    expect(quantile([3, 1, 2], 1)).toBe(3);
    expect(quantile([], 0.5)).toBeNaN();
  });
});
