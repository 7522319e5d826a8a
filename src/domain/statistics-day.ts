import { type LocalDate, localDate } from './calendar.ts';

// America/Sao_Paulo, without daylight saving since 2019.
const OFFSET = -3;

/** The day a moment is counted under in statistics, wherever the debtor lives. */
export const statisticsDay = (at: number): LocalDate => localDate(at, OFFSET);
