import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  addDays,
  addYears,
  daysBetween,
  localDate,
  localTime,
  parseLocalDate,
  startOfDay,
  weekday,
} from './calendar.ts';

const iso = (text: string) => Date.parse(text);

describe('dates', () => {
  it.each(['2024-02-29', '2026-11-20', '0001-01-01', '9999-12-31'])('accepts %s', (text) => {
    expect(parseLocalDate(text)).toBe(text);
  });

  it.each([
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '20/11/2026',
    '2026-11-20T00:00:00Z',
    '',
    null,
    20_261_120,
  ])('refuses %p', (value) => {
    expect(parseLocalDate(value)).toBeNull();
  });

  it('depend on the time zone', () => {
    expect(localDate(iso('2026-11-20T02:59:59Z'), -3)).toBe('2026-11-19');
    expect(localDate(iso('2026-11-20T03:00:00Z'), -3)).toBe('2026-11-20');
    expect(startOfDay('2026-11-20', -5)).toBe(iso('2026-11-20T05:00:00Z'));
    expect(localTime(iso('2026-11-20T12:30:00Z'), -3)).toBe(9.5 * 3_600_000);
    expect(localTime(iso('1969-12-31T23:00:00Z'), 0)).toBe(23 * 3_600_000);
    expect(weekday('2026-11-20')).toBe(5);
  });

  it('allow days and years to be added', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('9999-12-31', 1)).toBe('10000-01-01');
    expect(daysBetween('2026-02-27', '2026-03-01')).toBe(2);
    expect(daysBetween('2026-03-01', '2024-03-01')).toBe(-730);
    expect(addYears('2024-02-29', 5)).toBe('2029-03-01');
    expect(addYears('2023-02-28', 5)).toBe('2028-02-28');
    expect(addYears('9999-12-31', 5)).toBe('10004-12-31');
    expect(startOfDay('10004-12-31', 0)).toBeGreaterThan(iso('9999-12-31T00:00:00Z'));
  });

  it('convert to a moment and back at any offset', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), fc.integer({ min: -5, max: -2 }), (at, offset) => {
        const date = localDate(at, offset);
        expect(startOfDay(date, offset) + localTime(at, offset)).toBe(at);
        expect(parseLocalDate(date)).toBe(date);
        expect(date).toBe(new Date(at + offset * 3_600_000).toISOString().slice(0, 10));
      }),
    );
  });
});
