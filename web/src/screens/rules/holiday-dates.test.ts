import { expect, it } from '@jest/globals';
import { holidayDate } from './holiday-dates.ts';

it('finds the days that move with Easter', () => {
  const goodFridays = [2024, 2025, 2026, 2027, 2038].map((year) => holidayDate({ easter: -2 }, year));
  expect(goodFridays).toEqual(['2024-03-29', '2025-04-18', '2026-04-03', '2027-03-26', '2038-04-23']);
  expect(holidayDate({ easter: 60 }, 2026)).toBe('2026-06-04');
  expect(holidayDate('11-20', 2026)).toBe('2026-11-20');
});
