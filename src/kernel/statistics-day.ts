import { HOUR, type LocalDate, localDate, startOfDay } from './calendar.ts';

// America/Sao_Paulo, which has had no daylight saving time since 2019.
const OFFSET = -3;

/** Returns the day under which statistics count a moment, wherever the debtor lives. */
export const statisticsDay = (at: number): LocalDate => localDate(at, OFFSET);

/** Returns the first day of the month under which statistics count a moment. */
export const statisticsMonth = (at: number): LocalDate => `${statisticsDay(at).slice(0, 7)}-01`;

/** Returns the moment at which such a day begins. */
export const startOfStatisticsDay = (date: LocalDate): number => startOfDay(date, OFFSET);

/** Returns the day and the time of day, such as `14:31:05`, at which statistics count a moment. */
export const statisticsTime = (at: number): { readonly date: LocalDate; readonly time: string } => ({
  date: statisticsDay(at),
  time: new Date(at + OFFSET * HOUR).toISOString().slice(11, 19),
});
