import { daysBetween, type LocalDate } from '../../../kernel/calendar.ts';
import { businessDayFrom, type HolidayCalendar } from '../../../kernel/holidays.ts';
import type { State } from '../../../kernel/phone.ts';
import type { LatePaymentTerms } from './late-payment-terms.ts';

/** Which days are holidays where the debtor lives: in any of these states. */
export interface DebtorCalendar {
  readonly holidays: HolidayCalendar;
  readonly states: readonly State[];
}

export const nextBusinessDay = ({ holidays, states }: DebtorCalendar, date: LocalDate): LocalDate =>
  businessDayFrom(holidays, date, states);

/** Returns the day from which days count. On that day itself nothing is charged. */
export const countsFrom = (
  terms: Pick<LatePaymentTerms, 'businessDayShift'> | null,
  dueDate: LocalDate,
  calendar: DebtorCalendar,
): LocalDate => (terms?.businessDayShift === true ? nextBusinessDay(calendar, dueDate) : dueDate);

/** Returns for how many days something is charged: none within the days of grace, and after them all. */
export const chargedDays = ({ graceDays }: LatePaymentTerms, from: LocalDate, on: LocalDate): number => {
  const days = daysBetween(from, on);
  return days > graceDays ? days : 0;
};
