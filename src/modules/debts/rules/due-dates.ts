import { addYears, type LocalDate } from '../../../kernel/calendar.ts';

/** An older debt is prescribed many times over, and a later due date is a typing error. */
const YEARS_BACK = 30;
const YEARS_AHEAD = 10;

export interface DueDates {
  readonly earliest: LocalDate;
  readonly latest: LocalDate;
}

/** Returns the due dates that an import may contain. */
export function dueDatesAround(now: Date): DueDates {
  const today = now.toISOString().slice(0, 10);
  return { earliest: addYears(today, -YEARS_BACK), latest: addYears(today, YEARS_AHEAD) };
}
