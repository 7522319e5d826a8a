import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AGING_RANGES, agingRange } from './debt-aging.ts';

describe('the range of days past due', () => {
  it.each([
    [-1, null],
    [0, 0],
    [30, 0],
    [31, 31],
    [60, 31],
    [61, 61],
    [90, 61],
    [91, 91],
    [365, 91],
    [366, 366],
    [4_000, 366],
  ])('of %s days begins at %s', (days, from) => {
    expect(agingRange(days)?.fromDays ?? null).toBe(from);
  });

  it('is exactly one for every debt that is due', () => {
    fc.assert(
      fc.property(fc.nat(20_000), (days) => {
        const holding = AGING_RANGES.filter(
          ({ fromDays, toDays }) => fromDays <= days && days <= (toDays ?? Number.POSITIVE_INFINITY),
        );
        expect(holding).toEqual([agingRange(days)]);
      }),
    );
  });
});
