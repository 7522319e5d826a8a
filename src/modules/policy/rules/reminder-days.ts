import { addDays, type LocalDate, localDate } from '../../../kernel/calendar.ts';
import { type Frame, openIntervals } from './contact-window.ts';

/** The days before the due date on which a debtor is reminded of a bill; 0 is the due date itself. */
export interface DueReminders {
  readonly daysBefore: readonly number[];
}

export const MAX_REMINDERS = 3;
export const MAX_DAYS_BEFORE = 10;

/** A day without an opening is left for an earlier one within so many days, as after a long weekend. */
const DAYS_SEARCHED = 10;

/** What decides about the reminders of one debt. */
export interface RemindersOfDebt extends DueReminders {
  /** The moment of the last reminder, or null before the first. */
  readonly sentAt: number | null;
}

/**
 * Returns, ascending, the dates on which a debt has a reminder. Each belongs to its day before the due date. Where that
 * day has no opening, it moves to the last day before it that has one; a day that two reminders come to has one of them.
 * The day of a reminder that was sent has no other one.
 */
export function reminderDates(
  frame: Frame,
  dueDate: LocalDate,
  { daysBefore, sentAt }: RemindersOfDebt,
): readonly LocalDate[] {
  const dates = new Set(daysBefore.flatMap((days) => lastOpenDate(frame, addDays(dueDate, -days)) ?? []));
  if (sentAt !== null) for (const offset of frame.place.utcOffsets) dates.delete(localDate(sentAt, offset));
  return [...dates].sort();
}

function lastOpenDate(frame: Frame, date: LocalDate): LocalDate | null {
  for (let days = 0; days <= DAYS_SEARCHED; days += 1) {
    const earlier = addDays(date, -days);
    if (openIntervals(frame, earlier).length > 0) return earlier;
  }
  return null;
}
