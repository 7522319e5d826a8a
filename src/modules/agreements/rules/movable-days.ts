import { addDays, type LocalDate } from '../../../kernel/calendar.ts';
import { isBusinessDay } from '../../../kernel/holidays.ts';
import type { DebtorCalendar } from '../../terms/rules/counted-days.ts';
import { type InstalmentState, MAX_DAYS_MOVED, mayMove } from './agreement-state.ts';

/**
 * Returns the days to which the debtor may move each instalment that can be moved: business days, and none after the due
 * date of the next instalment, so that their order stays.
 */
export function movableDays(
  states: readonly InstalmentState[],
  {
    today,
    movesLeft,
    calendar,
  }: { readonly today: LocalDate; readonly movesLeft: number; readonly calendar: DebtorCalendar },
): ReadonlyMap<number, readonly LocalDate[]> {
  const days = states.map((state, at) => {
    const next = states[at + 1];
    const possible = Array.from({ length: MAX_DAYS_MOVED }, (_, day) => addDays(state.dueDate, day + 1)).filter(
      (to) =>
        mayMove(state, to, today, movesLeft) &&
        (next === undefined || to <= next.dueDate) &&
        isBusinessDay(calendar.holidays, to, calendar.states),
    );
    return [state.number, possible] as const;
  });
  return new Map(days.filter(([, possible]) => possible.length > 0));
}
