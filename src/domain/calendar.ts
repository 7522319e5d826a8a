import type { State } from './phone.ts';

/** `YYYY-MM-DD`, a day at some place; compares as text. Moments are epoch milliseconds; offsets are hours ahead of UTC. */
export type LocalDate = string;

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** A real date or null: 2026-02-30 is not one. */
export const parseLocalDate = (value: unknown): LocalDate | null => {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null;
  return localDate(startOfDay(value, 0), 0) === value ? value : null;
};

export const localDate = (at: number, utcOffset: number): LocalDate => {
  const local = new Date(at + utcOffset * HOUR);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(local.getUTCFullYear()).padStart(4, '0')}-${two(local.getUTCMonth() + 1)}-${two(local.getUTCDate())}`;
};

/** Milliseconds since local midnight. */
export const localTime = (at: number, utcOffset: number): number => {
  const local = at + utcOffset * HOUR;
  return local - Math.floor(local / DAY) * DAY;
};

// Date.UTC takes the years 0 to 99 for 1900 to 1999; a whole Gregorian cycle later it does not.
const CYCLE_YEARS = 400;
const CYCLE = 146_097 * DAY;

export const startOfDay = (date: LocalDate, utcOffset: number): number => {
  const year = Number(date.slice(0, -6)) + CYCLE_YEARS;
  return Date.UTC(year, Number(date.slice(-5, -3)) - 1, Number(date.slice(-2))) - CYCLE - utcOffset * HOUR;
};

export const addDays = (date: LocalDate, days: number): LocalDate => localDate(startOfDay(date, 0) + days * DAY, 0);

/** Civil Code art. 132 § 3: where the year has no such day (29 February), the day after. */
export const addYears = (date: LocalDate, years: number): LocalDate => {
  const sameDay = `${Number(date.slice(0, 4)) + years}${date.slice(4)}`;
  return localDate(startOfDay(sameDay, 0), 0);
};

/** 0 is Sunday. */
export const weekday = (date: LocalDate): number => new Date(startOfDay(date, 0)).getUTCDay();

export const lastDayOfMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Months run on past 12, and a day that the month lacks becomes its last. */
export const dateOf = (year: number, month: number, day: number): LocalDate => {
  const y = year + Math.floor((month - 1) / 12);
  const m = ((((month - 1) % 12) + 12) % 12) + 1;
  return localDate(Date.UTC(y, m - 1, Math.min(day, lastDayOfMonth(y, m))), 0);
};

export const partsOf = (date: LocalDate): { year: number; month: number; day: number } => ({
  year: Number(date.slice(0, 4)),
  month: Number(date.slice(5, 7)),
  day: Number(date.slice(8, 10)),
});

/** The dated table of `policies/holidays-br.json`: days by nation and by state. */
export interface HolidayFile {
  readonly id: string;
  readonly source: string;
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly national: Readonly<Record<LocalDate, string>>;
  readonly states: Readonly<Record<string, Readonly<Record<LocalDate, string>>>>;
}

export interface HolidayScope {
  readonly national: boolean;
  readonly state: boolean;
}

const ALL_HOLIDAYS: HolidayScope = { national: true, state: true };

export const isHoliday = (
  holidays: HolidayFile,
  date: LocalDate,
  states: readonly State[],
  scope: HolidayScope = ALL_HOLIDAYS,
): boolean =>
  (scope.national && holidays.national[date] !== undefined) ||
  (scope.state && states.some((state) => holidays.states[state]?.[date] !== undefined));

/** Monday to Friday and no holiday in any of the states. */
export const isBusinessDay = (holidays: HolidayFile, date: LocalDate, states: readonly State[]): boolean => {
  const day = weekday(date);
  return day !== 0 && day !== 6 && !isHoliday(holidays, date, states);
};

/** The `count`-th business day after `date`; `date` itself never counts. */
export const addBusinessDays = (
  holidays: HolidayFile,
  date: LocalDate,
  count: number,
  states: readonly State[],
): LocalDate => {
  let day = date;
  for (let left = count; left > 0; ) {
    day = addDays(day, 1);
    if (isBusinessDay(holidays, day, states)) left -= 1;
  }
  return day;
};
