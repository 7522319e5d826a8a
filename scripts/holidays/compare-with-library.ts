import Holidays from 'date-holidays';
import { type LocalDate, partsOf, weekday } from '../../src/kernel/calendar.ts';
import { type HolidayPlace, type HolidayRules, holidaysOf, statutoryDay } from '../../src/kernel/holidays.ts';
import { STATES } from '../../src/kernel/phone.ts';

const PLACES: readonly HolidayPlace[] = ['nation', ...STATES];

export interface NamedDay {
  readonly place: HolidayPlace;
  readonly date: LocalDate;
  readonly name: string;
}

// The days of type `bank` and `optional` are holidays of nobody but banks and offices.
const libraryDays = (place: HolidayPlace, year: number): readonly NamedDay[] =>
  (place === 'nation' ? new Holidays('BR') : new Holidays('BR', place))
    .getHolidays(year, 'pt')
    .filter(({ type }) => type === 'public')
    .map(({ date, name }) => ({ place, date: date.slice(0, 10), name }));

const ruleDays = (rules: HolidayRules, place: HolidayPlace, year: number): readonly NamedDay[] =>
  holidaysOf(rules, place, year).map(({ date, law }) => ({ place, date, name: law.name }));

const isRefused = (rules: HolidayRules, { place, date }: NamedDay): boolean =>
  (place === 'nation' ? rules.nation : rules.states[place]).notHolidays.some(
    (day) => statutoryDay(day, partsOf(date).year) === date,
  );

const without = (days: readonly NamedDay[], known: readonly NamedDay[]): readonly NamedDay[] =>
  days.filter(({ date }) => !known.some((day) => day.date === date));

export interface Comparison {
  /** Public holidays of the library that the rules neither have nor refuse. */
  readonly missing: readonly NamedDay[];
  /** Public holidays of the library that the rules refuse. */
  readonly refused: readonly NamedDay[];
  /** Holidays of the rules that the library does not have. */
  readonly onlyHere: readonly NamedDay[];
}

/**
 * Compares the rules with the public holidays of the library date-holidays. Sundays are left out, because no contact is
 * allowed on a Sunday: they are the election days, and the holidays that a state keeps on a Sunday.
 */
export const compareWithLibrary = (rules: HolidayRules, year: number): Comparison => {
  const nation = { library: libraryDays('nation', year), rules: ruleDays(rules, 'nation', year) };
  const compared = PLACES.map((place) => {
    const library = libraryDays(place, year).filter(({ date }) => weekday(date) !== 0);
    const own = ruleDays(rules, place, year).filter(({ date }) => weekday(date) !== 0);
    return {
      unknown: without(library, place === 'nation' ? own : [...own, ...nation.rules, ...nation.library]),
      onlyHere: without(own, place === 'nation' ? library : [...library, ...nation.rules]),
    };
  });
  const unknown = compared.flatMap((one) => one.unknown);
  return {
    missing: unknown.filter((day) => !isRefused(rules, day)),
    refused: unknown.filter((day) => isRefused(rules, day)),
    onlyHere: compared.flatMap((one) => one.onlyHere),
  };
};
