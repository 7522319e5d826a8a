/** Arithmetic on local dates (`YYYY-MM-DD`), which have no zone and no hour. */

const DAY_MS = 86_400_000;

const toMs = (date: string): number => Date.UTC(+date.slice(0, 4), +date.slice(5, 7) - 1, +date.slice(8, 10));
const fromMs = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const addDays = (date: string, days: number): string => fromMs(toMs(date) + days * DAY_MS);

/** 0 is Sunday. */
export const weekdayOf = (date: string): number => new Date(toMs(date)).getUTCDay();

export const lastDayOfMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Months run on past 12, and a day that the month lacks becomes its last. */
export const dateOf = (year: number, month: number, day: number): string => {
  const y = year + Math.floor((month - 1) / 12);
  const m = ((((month - 1) % 12) + 12) % 12) + 1;
  return fromMs(Date.UTC(y, m - 1, Math.min(day, lastDayOfMonth(y, m))));
};

export const partsOf = (date: string): { year: number; month: number; day: number } => ({
  year: +date.slice(0, 4),
  month: +date.slice(5, 7),
  day: +date.slice(8, 10),
});
