import { remember } from './remember.ts';

/**
 * A local calendar date `YYYY-MM-DD`, which can be compared as text. In this file moments are epoch milliseconds, and
 * offsets are hours ahead of UTC.
 */
export type LocalDate = string;

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Returns the date, or null for one that does not exist, such as 2026-02-30. */
export const parseLocalDate = (value: unknown): LocalDate | null => {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null;
  return localDate(startOfDay(value, 0), 0) === value ? value : null;
};

const MOMENT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Returns a moment such as `2026-11-20T14:30:00-03:00`; null for one without an offset or on a day that does not exist. */
export const parseMoment = (value: unknown): number | null => {
  const day = typeof value === 'string' ? MOMENT.exec(value)?.[1] : undefined;
  const at = parseLocalDate(day) === null ? Number.NaN : Date.parse(value as string);
  return Number.isNaN(at) ? null : at;
};

// Writing and reading a date takes long beside the rest of a decision, and most decisions are about the same few days.
const dateOfDay = remember((day: number): LocalDate => {
  const local = new Date(day * DAY);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(local.getUTCFullYear()).padStart(4, '0')}-${two(local.getUTCMonth() + 1)}-${two(local.getUTCDate())}`;
});

export const localDate = (at: number, utcOffset: number): LocalDate =>
  dateOfDay(Math.floor((at + utcOffset * HOUR) / DAY));

/** Returns the milliseconds since local midnight. */
export const localTime = (at: number, utcOffset: number): number => {
  const local = at + utcOffset * HOUR;
  return local - Math.floor(local / DAY) * DAY;
};

// `Date.UTC` reads the years 0 to 99 as 1900 to 1999. Adding a whole Gregorian cycle of 400 years avoids this.
const CYCLE_YEARS = 400;
const CYCLE = 146_097 * DAY;

const startInUtc = remember((date: LocalDate): number => {
  const year = Number(date.slice(0, -6)) + CYCLE_YEARS;
  return Date.UTC(year, Number(date.slice(-5, -3)) - 1, Number(date.slice(-2))) - CYCLE;
});

export const startOfDay = (date: LocalDate, utcOffset: number): number => startInUtc(date) - utcOffset * HOUR;

/** Returns how many days `to` is after `from`; negative when it is before. */
export const daysBetween = (from: LocalDate, to: LocalDate): number => (startInUtc(to) - startInUtc(from)) / DAY;

export const addDays = (date: LocalDate, days: number): LocalDate => localDate(startOfDay(date, 0) + days * DAY, 0);

/** Where the target year lacks the day (29 February), the result is the day after it (Civil Code, art. 132 § 3). */
export const addYears = (date: LocalDate, years: number): LocalDate => {
  const sameDay = `${Number(date.slice(0, 4)) + years}${date.slice(4)}`;
  return localDate(startOfDay(sameDay, 0), 0);
};

/** Returns the day of the week; 0 is Sunday. */
export const weekday = (date: LocalDate): number => new Date(startOfDay(date, 0)).getUTCDay();

export const lastDayOfMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** A month outside 1 to 12 belongs to another year, and a day beyond the end of the month becomes its last day. */
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

/** Returns the `count`-th day after `date` for which `counts` holds; `date` itself never counts. */
export const addCountedDays = (date: LocalDate, count: number, counts: (day: LocalDate) => boolean): LocalDate => {
  let day = date;
  for (let left = count; left > 0; ) {
    day = addDays(day, 1);
    if (counts(day)) left -= 1;
  }
  return day;
};
