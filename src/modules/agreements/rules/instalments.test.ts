import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isBusinessDay } from '../../../kernel/holidays.ts';
import { loadPolicy } from '../../policy/use-cases/load-policy.ts';
import { instalmentAmounts, instalmentDueDates, maxInstalmentsOf } from './instalments.ts';

const calendar = { holidays: loadPolicy().holidays, states: ['SP'] as const };

describe('golden example 10', () => {
  it('divides R$ 900,00 behind an entry of R$ 100,00 by seven, and the last takes the rest', () => {
    expect(instalmentAmounts(100_000, 8, 10_000)).toEqual([10_000, ...Array(6).fill(12_857), 12_858]);
  });

  it('divides R$ 430,00 by eight at most when R$ 50,00 is the least', () => {
    expect(maxInstalmentsOf(43_000, null, 5_000, 12)).toBe(8);
    expect(maxInstalmentsOf(43_000, null, 5_000, 6)).toBe(6);
    expect(maxInstalmentsOf(43_000, 4_300, 5_000, 12)).toBe(8);
    expect(maxInstalmentsOf(4_000, null, 5_000, 12)).toBe(1);
  });
});

it('adds up to the total, with equal amounts of which the last is larger by less than their number', () => {
  const total = fc.integer({ min: 100, max: 99_999_999_999 });
  fc.assert(
    fc.property(
      total,
      fc.integer({ min: 1, max: 60 }),
      fc.option(fc.double({ min: 0.01, max: 0.99, noNaN: true })),
      (all, count, share) => {
        const entry = share === null ? null : Math.ceil(all * share);
        const amounts = instalmentAmounts(all, count, entry);
        expect(amounts).toHaveLength(count);
        expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(all);
        expect(Math.min(...amounts)).toBeGreaterThanOrEqual(0);
        if (count > 1 && entry !== null) expect(amounts[0]).toBe(entry);
        const equal = entry === null ? amounts : amounts.slice(1);
        const last = equal.at(-1)!;
        for (const amount of equal.slice(0, -1)) {
          expect(amount).toBe(equal[0]);
          expect(last - amount).toBeGreaterThanOrEqual(0);
          expect(last - amount).toBeLessThan(count);
        }
      },
    ),
  );
});

it('is due on the same day of each month, the last day of a shorter one, moved to a business day', () => {
  // 31 January and 28 February 2026 are Saturdays; 1 May is a holiday.
  expect(instalmentDueDates('2026-01-31', 5, calendar)).toEqual([
    '2026-02-02',
    '2026-03-02',
    '2026-03-31',
    '2026-04-30',
    '2026-06-01',
  ]);
  expect(instalmentDueDates('2026-11-20', 3, calendar)).toEqual(['2026-11-23', '2026-12-21', '2027-01-20']);
  for (const day of instalmentDueDates('2026-01-25', 60, calendar)) {
    expect(isBusinessDay(calendar.holidays, day, calendar.states)).toBe(true);
  }
});
