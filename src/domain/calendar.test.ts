import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { loadPolicy } from '../services/shared/load-policy.ts';
import {
  addBusinessDays,
  addDays,
  addYears,
  isBusinessDay,
  isHoliday,
  localDate,
  localTime,
  parseLocalDate,
  startOfDay,
  weekday,
} from './calendar.ts';
import { STATES } from './phone.ts';

const { holidays } = loadPolicy(new Date('2026-11-20T12:00:00Z'));
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

describe('holidays', () => {
  it.each([
    ['2026-04-03', 'Good Friday'],
    ['2024-11-20', '20 November since 2024'],
    ['2026-11-20', '20 November'],
    ['2026-09-07', 'Independence'],
    ['2026-12-25', 'Christmas'],
    ['2036-11-20', 'the last year of the table'],
  ])('%s is one for the nation (%s)', (date) => {
    for (const state of STATES) expect(isHoliday(holidays, date, [state])).toBe(true);
  });

  it.each([
    ['2026-10-04', 'election Sunday'],
    ['2026-10-25', 'election Sunday'],
    ['2026-02-16', 'Carnival Monday'],
    ['2026-06-04', 'Corpus Christi'],
    ['2026-02-18', 'Ash Wednesday'],
    ['2026-12-24', 'Christmas Eve'],
  ])('%s is none (%s)', (date) => {
    for (const state of STATES) expect(isHoliday(holidays, date, [state])).toBe(false);
  });

  it.each([
    ['SP', '2026-07-09'],
    ['RJ', '2026-04-23'],
    ['RJ', '2026-02-17'],
    ['BA', '2026-07-02'],
    ['RS', '2026-09-20'],
    ['PE', '2026-03-06'],
    ['AC', '2026-01-23'],
    ['CE', '2026-03-25'],
    ['DF', '2026-11-30'],
    ['AC', '2028-06-15'],
  ] as const)('%s has its own on %s', (state, date) => {
    expect(isHoliday(holidays, date, [state])).toBe(true);
    expect(isHoliday(holidays, date, ['MG'])).toBe(false);
    expect(isHoliday(holidays, date, ['MG', state])).toBe(true);
    expect(isHoliday(holidays, date, [state], { national: true, state: false })).toBe(false);
  });

  it('name ten national days in each year, and every state', () => {
    for (let year = 2024; year <= 2036; year += 1) {
      expect(Object.keys(holidays.national).filter((date) => date.startsWith(`${year}-`)).length).toBe(10);
    }
    expect(Object.keys(holidays.states).sort()).toEqual([...STATES]);
  });
});

describe('business days', () => {
  it('skip weekends and holidays', () => {
    expect(isBusinessDay(holidays, '2026-11-19', ['SP'])).toBe(true);
    expect(isBusinessDay(holidays, '2026-11-20', ['SP'])).toBe(false);
    expect(isBusinessDay(holidays, '2026-11-21', ['SP'])).toBe(false);
    expect(addBusinessDays(holidays, '2026-11-19', 1, ['SP'])).toBe('2026-11-23');
    expect(addBusinessDays(holidays, '2026-07-08', 1, ['SP'])).toBe('2026-07-10');
    expect(addBusinessDays(holidays, '2026-07-08', 1, ['RJ'])).toBe('2026-07-09');
    expect(addBusinessDays(holidays, '2026-11-21', 2, ['RJ'])).toBe('2026-11-24');
    expect(addBusinessDays(holidays, '2026-11-21', 0, ['RJ'])).toBe('2026-11-21');
  });

  it('are counted one by one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3000 }),
        fc.integer({ min: 1, max: 15 }),
        fc.constantFrom(...STATES),
        (from, count, state) => {
          const start = addDays('2025-01-01', from);
          const end = addBusinessDays(holidays, start, count, [state]);
          let passed = 0;
          for (let day = addDays(start, 1); day <= end; day = addDays(day, 1)) {
            if (isBusinessDay(holidays, day, [state])) passed += 1;
          }
          expect(passed).toBe(count);
          expect(isBusinessDay(holidays, end, [state])).toBe(true);
        },
      ),
    );
  });
});
