import { dateOf, type LocalDate, partsOf } from '../../../kernel/calendar.ts';
import { type DebtorCalendar, nextBusinessDay } from '../../terms/rules/counted-days.ts';

export interface Instalment {
  /** From 1; the first is the entry. */
  readonly number: number;
  readonly dueDate: LocalDate;
  readonly amountCentavos: number;
}

/**
 * Divides a total. Without an entry of its own the first instalment is like the others. All are rounded down, and the
 * last takes the rest.
 */
export function instalmentAmounts(total: number, count: number, entry: number | null): number[] {
  if (count === 1) return [total];
  const first = entry ?? Math.floor(total / count);
  const each = entry === null ? first : Math.floor((total - entry) / (count - 1));
  const equal = Array.from({ length: count - 2 }, () => each);
  return [first, ...equal, total - first - each * (count - 2)];
}

/**
 * Returns the due dates: the same day of following months, or the last day of a shorter one, each moved to a business
 * day. The month counts from the first date as it was before it was moved, so that no date moves the ones after it.
 */
export function instalmentDueDates(first: LocalDate, count: number, calendar: DebtorCalendar): LocalDate[] {
  const { year, month, day } = partsOf(first);
  return Array.from({ length: count }, (_, at) => nextBusinessDay(calendar, dateOf(year, month + at, day)));
}

export function planInstalments(
  total: number,
  count: number,
  entry: number | null,
  first: LocalDate,
  calendar: DebtorCalendar,
): Instalment[] {
  const dueDates = instalmentDueDates(first, count, calendar);
  return instalmentAmounts(total, count, entry).map((amountCentavos, at) => ({
    number: at + 1,
    dueDate: dueDates[at]!,
    amountCentavos,
  }));
}

/**
 * Returns the largest count, the entry included, of which no instalment is below the smallest amount. A total that is
 * below it itself is paid at once.
 */
export function maxInstalmentsOf(total: number, entry: number | null, smallest: number, most: number): number {
  const least = Math.max(1, smallest);
  const count = entry === null ? Math.floor(total / least) : 1 + Math.floor((total - entry) / least);
  return Math.max(1, Math.min(most, count));
}
