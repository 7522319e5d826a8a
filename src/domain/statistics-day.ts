import { type LocalDate, localDate } from './calendar.ts';

// America/Sao_Paulo, which has had no daylight saving time since 2019.
const OFFSET = -3;

/** Returns the day under which statistics count a moment, wherever the debtor lives. */
export const statisticsDay = (at: number): LocalDate => localDate(at, OFFSET);
