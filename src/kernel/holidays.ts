import { addCountedDays, addDays, type LocalDate, partsOf, weekday } from './calendar.ts';
import { STATES, type State } from './phone.ts';
import { remember } from './remember.ts';

/** The days of the week in the order of `weekday`. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
type Weekday = (typeof WEEKDAYS)[number];

/** The nation or one of its states. */
export type HolidayPlace = State | 'nation';

/** A month and a day, `MM-DD`, or a number of days after Easter Sunday. */
type DayRule = string | { readonly easter: number };

/** The statute, and where its text stands: `lawUrl` is an official page, `foundAt` the page that was read. */
interface Statute {
  readonly law: string;
  readonly lawUrl?: string | undefined;
  readonly foundAt?: string | undefined;
  readonly note?: string | undefined;
  /** The first and the last year in which the statute applies. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface HolidayLaw extends Statute {
  readonly name: string;
  readonly on: DayRule;
  /** True when the region's `transfer` applies to this holiday. */
  readonly transferred?: true | undefined;
  /** False when the statute could not be confirmed: the day is closed as the stricter reading. */
  readonly checked?: false | undefined;
}

/** A day that other lists call a holiday and that is none, with the reason in `note`. */
interface RefusedHoliday extends Statute {
  readonly name: string;
  readonly on: DayRule;
}

/** A law that transfers holidays to another day of the week. */
interface Transfer extends Statute {
  /** By how many days a holiday is transferred that falls on this day of the week. */
  readonly days: Readonly<Partial<Record<Weekday, number>>>;
  /** The step, in days, to the next day that is tried when the new day is a holiday already. */
  readonly stepWhenTaken?: number | undefined;
  /** True when the day itself stays closed: the stricter reading of a law that leaves doubt. */
  readonly keepsOriginal: boolean;
}

export interface HolidayRegion {
  readonly transfer?: Transfer | undefined;
  readonly holidays: readonly HolidayLaw[];
  readonly notHolidays: readonly RefusedHoliday[];
}

/** The content of `policies/holidays-br.json`: which statute makes which day a holiday. */
export interface HolidayRules {
  readonly id: string;
  readonly reviewed: LocalDate;
  readonly source: string;
  readonly nation: HolidayRegion;
  readonly states: Readonly<Record<State, HolidayRegion>>;
}

export interface Holiday {
  readonly date: LocalDate;
  readonly law: HolidayLaw;
  /** True on the day to which the holiday is transferred. */
  readonly moved: boolean;
}

/** Easter Sunday of the Gregorian calendar, by the anonymous algorithm of Meeus, Jones and Butcher. */
export const easterSunday = (year: number): LocalDate => {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const yearOfCentury = year % 100;
  const moonCorrection = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - moonCorrection + 15) % 30;
  const daysToSunday = (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7;
  const lateMoon = Math.floor((golden + 11 * epact + 22 * daysToSunday) / 451);
  const sinceMarch = epact + daysToSunday - 7 * lateMoon + 114;
  return dayOfYear(year, `${two(Math.floor(sinceMarch / 31))}-${two((sinceMarch % 31) + 1)}`);
};

const two = (part: number): string => String(part).padStart(2, '0');
const dayOfYear = (year: number, monthAndDay: string): LocalDate => `${String(year).padStart(4, '0')}-${monthAndDay}`;

/** Returns the day that the statute names, or null in a year in which it does not apply. */
export const statutoryDay = ({ on, from, to }: RefusedHoliday, year: number): LocalDate | null => {
  if ((from !== undefined && year < from) || (to !== undefined && year > to)) return null;
  return typeof on === 'string' ? dayOfYear(year, on) : addDays(easterSunday(year), on.easter);
};

const isStatutory = (regions: readonly HolidayRegion[], date: LocalDate): boolean => {
  const { year } = partsOf(date);
  return regions.some(({ holidays }) => holidays.some((law) => statutoryDay(law, year) === date));
};

/** Returns the days on which the holiday that falls on `date` is observed. */
const observed = (
  law: HolidayLaw,
  date: LocalDate,
  { transfer }: HolidayRegion,
  isTaken: (day: LocalDate) => boolean,
): readonly Holiday[] => {
  const original = { date, law, moved: false };
  if (law.transferred !== true || transfer === undefined) return [original];
  const { year } = partsOf(date);
  const days = transfer.days[WEEKDAYS[weekday(date)]!];
  if (days === undefined || (transfer.from ?? year) > year || (transfer.to ?? year) < year) return [original];
  let target = addDays(date, days);
  while (transfer.stepWhenTaken !== undefined && isTaken(target)) target = addDays(target, transfer.stepWhenTaken);
  return [...(transfer.keepsOriginal ? [original] : []), { date: target, law, moved: true }];
};

/** Returns the holidays by the laws of the nation or of one state in a year, ascending. */
export const holidaysOf = (rules: HolidayRules, place: HolidayPlace, year: number): readonly Holiday[] => {
  const region = place === 'nation' ? rules.nation : rules.states[place];
  const regions = [rules.nation, region];
  // The neighbouring years are included because a transfer may cross the end of a year.
  return [year - 1, year, year + 1]
    .flatMap((lawYear) =>
      region.holidays.flatMap((law) => {
        const date = statutoryDay(law, lawYear);
        return date === null ? [] : observed(law, date, region, (day) => isStatutory(regions, day));
      }),
    )
    .filter(({ date }) => partsOf(date).year === year)
    .sort((left, right) => (left.date < right.date ? -1 : 1));
};

interface HolidayYear {
  readonly national: ReadonlySet<LocalDate>;
  readonly states: ReadonlyMap<State, ReadonlySet<LocalDate>>;
}

/** The holidays of every year. A year is computed when it is asked for the first time. */
export interface HolidayCalendar {
  readonly rules: HolidayRules;
  readonly year: (year: string) => HolidayYear;
}

/** Far more years than debts and promises reach. */
const MAX_YEARS_KEPT = 100;

export const createHolidayCalendar = (rules: HolidayRules): HolidayCalendar => {
  const yearOf = (year: string): HolidayYear => {
    const datesOf = (place: HolidayPlace) => new Set(holidaysOf(rules, place, Number(year)).map(({ date }) => date));
    return { national: datesOf('nation'), states: new Map(STATES.map((state) => [state, datesOf(state)])) };
  };
  return { rules, year: remember(yearOf, MAX_YEARS_KEPT) };
};

export interface HolidayScope {
  readonly national: boolean;
  readonly state: boolean;
}

const ALL_HOLIDAYS: HolidayScope = { national: true, state: true };

export const isHoliday = (
  holidays: HolidayCalendar,
  date: LocalDate,
  states: readonly State[],
  scope: HolidayScope = ALL_HOLIDAYS,
): boolean => {
  const year = holidays.year(date.slice(0, -6));
  return (
    (scope.national && year.national.has(date)) ||
    (scope.state && states.some((state) => year.states.get(state)!.has(date)))
  );
};

/** True from Monday to Friday, unless the day is a holiday of the nation or of any of the states. */
export const isBusinessDay = (holidays: HolidayCalendar, date: LocalDate, states: readonly State[]): boolean => {
  const day = weekday(date);
  return day !== 0 && day !== 6 && !isHoliday(holidays, date, states);
};

/** Returns the `count`-th business day after `date`; `date` itself never counts. */
export const addBusinessDays = (
  holidays: HolidayCalendar,
  date: LocalDate,
  count: number,
  states: readonly State[],
): LocalDate => addCountedDays(date, count, (day) => isBusinessDay(holidays, day, states));

/** Returns `date` when it is a business day, and the next business day otherwise. */
export const businessDayFrom = (holidays: HolidayCalendar, date: LocalDate, states: readonly State[]): LocalDate =>
  isBusinessDay(holidays, date, states) ? date : addBusinessDays(holidays, date, 1, states);
