import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { loadPolicy } from '../modules/policy/use-cases/load-policy.ts';
import { addDays, weekday } from './calendar.ts';
import {
  addBusinessDays,
  businessDayFrom,
  createHolidayCalendar,
  easterSunday,
  type HolidayPlace,
  type HolidayRegion,
  type HolidayRules,
  holidaysOf,
  isBusinessDay,
  isHoliday,
} from './holidays.ts';
import { STATES } from './phone.ts';

const { holidays } = loadPolicy();
const { rules } = holidays;
const year = fc.integer({ min: 1990, max: 9998 });
const days = (place: HolidayPlace, of: number) => holidaysOf(rules, place, of).map(({ date }) => date);

describe('Easter Sunday', () => {
  it.each(['1961-04-02', '2008-03-23', '2011-04-24', '2026-04-05', '2038-04-25', '2100-03-28', '2285-03-22'])(
    'is %s',
    (date) => {
      expect(easterSunday(Number(date.slice(0, 4)))).toBe(date);
    },
  );

  it('is a Sunday from 22 March to 25 April in every year', () => {
    fc.assert(
      fc.property(year, (of) => {
        const date = easterSunday(of);
        expect(weekday(date)).toBe(0);
        expect(date >= `${of}-03-22` && date <= `${of}-04-25`).toBe(true);
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
    ['2051-12-25', 'Christmas of a distant year'],
    ['2051-03-31', 'Good Friday of a distant year'],
  ])('%s is one for the nation (%s)', (date) => {
    for (const state of STATES) {
      expect(isHoliday(holidays, date, [state], { national: true, state: false })).toBe(true);
      expect(isHoliday(holidays, date, [state])).toBe(true);
    }
  });

  it.each([
    ['2026-10-04', 'election Sunday'],
    ['2026-10-25', 'election Sunday'],
    ['2026-02-16', 'Carnival Monday'],
    ['2026-02-18', 'Ash Wednesday'],
    ['2026-12-24', 'Christmas Eve'],
    ['2023-11-19', 'the day before 20 November'],
  ])('%s is none (%s)', (date) => {
    for (const state of STATES) expect(isHoliday(holidays, date, [state])).toBe(false);
  });

  it.each([
    ['Corpus Christi', '2026-06-04', ['DF', 'MA', 'RJ']],
    ['Corpus Christi before the law of Rio de Janeiro', '2025-06-19', ['DF', 'MA']],
    ['Shrove Tuesday', '2026-02-17', ['AP', 'GO', 'RJ']],
    ['8 March', '2026-03-08', ['AC']],
    ['8 March since the law of Maranhão', '2027-03-08', ['AC', 'MA']],
    ['15 August', '2025-08-15', ['PA', 'TO']],
    ['15 August before the law of Tocantins', '2024-08-15', ['PA']],
    ['19 December, which Paraná repealed', '2026-12-19', []],
    ['26 July, which Paraíba repealed', '2027-07-26', ['GO']],
    ['18 March, which Tocantins repealed', '2026-03-18', []],
    ['12 January', '2026-01-12', []],
    ['25 July', '2026-07-25', []],
  ] as const)('%s, %s, is one in %j only', (_, date, expected) => {
    expect(STATES.filter((state) => isHoliday(holidays, date, [state]))).toEqual(expected);
  });

  it.each([
    ['SP', '2026-07-09'],
    ['RJ', '2026-04-23'],
    ['BA', '2026-07-02'],
    ['RS', '2026-09-20'],
    ['PE', '2026-03-06'],
    ['AC', '2026-01-20'],
    ['AC', '2026-01-23'],
    ['AC', '2026-11-17'],
    ['CE', '2026-03-25'],
    ['DF', '2026-11-30'],
    ['ES', '2026-04-13'],
    ['AC', '2028-06-15'],
    ['AP', '2026-05-15'],
  ] as const)('%s has its own on %s', (state, date) => {
    expect(isHoliday(holidays, date, [state])).toBe(true);
    expect(isHoliday(holidays, date, ['MG'])).toBe(false);
    expect(isHoliday(holidays, date, ['MG', state])).toBe(true);
    expect(isHoliday(holidays, date, [state], { national: true, state: false })).toBe(false);
  });

  it('are ten for the nation in every year since 2024, and nine before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2024, max: 9998 }), (of) => {
        expect(holidaysOf(rules, 'nation', of)).toHaveLength(10);
      }),
    );
    expect(holidaysOf(rules, 'nation', 2023)).toHaveLength(9);
  });

  it('are answered by the calendar as they are computed, for more years than it keeps', () => {
    const calendar = createHolidayCalendar(rules);
    fc.assert(
      fc.property(year, fc.constantFrom(...STATES), fc.integer({ min: 0, max: 364 }), (of, state, day) => {
        const date = addDays(`${of}-01-01`, day);
        const expected = [...days('nation', of), ...days(state, of)];
        expect(isHoliday(calendar, date, [state])).toBe(expected.includes(date));
        for (const one of expected) expect(isHoliday(calendar, one, [state])).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a transfer', () => {
  // The first column says what the state itself announced or what its law says for a year.
  it.each([
    ['Acre moved Tuesday 23 January 2024 to Friday', 'AC', '2024-01-23', '2024-01-26'],
    ['Acre moved Thursday 5 September 2024 to Friday', 'AC', '2024-09-05', '2024-09-06'],
    ['Acre moved Tuesday 20 January 2026 to Thursday, as Friday was a holiday', 'AC', '2026-01-20', '2026-01-22'],
    ['Acre moved Wednesday 5 September 2012 to Thursday, as Friday was a holiday', 'AC', '2012-09-05', '2012-09-06'],
    ['Acre moved Tuesday 5 September 2023 to the Friday after a holiday', 'AC', '2023-09-05', '2023-09-08'],
    ['Alagoas brought Tuesday 30 November 2021 forward to Monday', 'AL', '2021-11-30', '2021-11-29'],
    ['Alagoas put Thursday 30 November 2023 off to Friday', 'AL', '2023-11-30', '2023-12-01'],
  ] as const)('%s, and both days stay closed', (_, state, original, moved) => {
    for (const date of [original, moved]) expect(isHoliday(holidays, date, [state])).toBe(true);
  });

  it.each([
    ['AC', 2026, '06-15', 'Acre exempts the anniversary of the state, a Monday'],
    ['AC', 2027, '06-15', 'Acre exempts the anniversary of the state, a Tuesday'],
    ['AC', 2025, '11-17', 'Acre leaves a Monday where it is'],
    ['AL', 2026, '11-30', 'Alagoas leaves a Monday where it is'],
    ['AL', 2022, '11-30', 'Alagoas leaves a Wednesday where it is'],
  ] as const)('leaves %s %d-%s alone (%s)', (state, of, day, _) => {
    const found = holidaysOf(rules, state, of).filter(({ law }) => law.on === day);
    expect(found).toEqual([expect.objectContaining({ date: `${of}-${day}`, moved: false })]);
  });

  it('opens the day itself in Santa Catarina, where the law transfers it to Sunday', () => {
    expect(days('SC', 2026)).toEqual(['2026-08-16', '2026-11-29']);
    expect(days('SC', 2024)).toEqual(['2024-08-11', '2024-12-01']);
    expect(days('SC', 2004)).toEqual(['2004-08-11', '2004-11-25']);
    fc.assert(fc.property(year, (of) => of < 2005 || days('SC', of).every((date) => weekday(date) === 0)));
  });

  it('reaches the neighbouring year', () => {
    const none: HolidayRegion = { holidays: [], notHolidays: [] };
    const lastDay: HolidayRegion = {
      transfer: { law: 'test', days: { thu: 1 }, keepsOriginal: false },
      holidays: [{ name: 'test', on: '12-31', law: 'test', transferred: true }],
      notHolidays: [],
    };
    const states = {
      ...Object.fromEntries(STATES.map((state) => [state, none])),
      AC: lastDay,
    } as HolidayRules['states'];
    const calendar = createHolidayCalendar({ ...rules, nation: none, states });
    expect(weekday('2026-12-31')).toBe(4);
    expect(isHoliday(calendar, '2026-12-31', ['AC'])).toBe(false);
    expect(isHoliday(calendar, '2027-01-01', ['AC'])).toBe(true);
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

  it('are found from a day that may be one', () => {
    expect(businessDayFrom(holidays, '2026-11-19', ['SP'])).toBe('2026-11-19');
    expect(businessDayFrom(holidays, '2026-11-20', ['SP'])).toBe('2026-11-23');
    expect(businessDayFrom(holidays, '2026-07-09', ['SP', 'RJ'])).toBe('2026-07-10');
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
