import {
  addDays,
  addYears,
  daysBetween,
  HOUR,
  type LocalDate,
  localDate,
  startOfDay,
} from '../../../kernel/calendar.ts';
import { addBusinessDays, businessDayFrom, type HolidayCalendar } from '../../../kernel/holidays.ts';
import type { State } from '../../../kernel/phone.ts';

/** The content of `policies/bureaus-br.json`: what the law says about listings at credit bureaus. */
export interface BureauTerms {
  /** So many days lie at least between the notice and the listing; states may want more. */
  readonly notice: { readonly days: number };
  readonly states: Readonly<Partial<Record<State, { readonly days: number; readonly lateDays?: number | undefined }>>>;
  readonly removal: { readonly businessDays: number };
  readonly longestYears: { readonly years: number };
}

/** Where and when a debt is listed, in days of the debtor's calendar. */
export interface ListedDays {
  readonly dueDate: LocalDate;
  readonly notifiedOn: LocalDate;
  readonly listedOn: LocalDate;
}

/**
 * - `notice_missing`: the notice was not early enough.
 * - `too_early`: the debtor's state wants a longer delay before a debt is listed.
 * - `too_old`: nobody may be listed for a debt of that age.
 */
export type ListingProblem = 'notice_missing' | 'too_early' | 'too_old';

/** Where nobody knows in which of several states the debtor lives, the strictest holds. */
const strictest = (terms: BureauTerms, states: readonly State[]) => {
  const own = states.flatMap((state) => terms.states[state] ?? []);
  return {
    noticeDays: Math.max(terms.notice.days, ...own.map(({ days }) => days)),
    lateDays: Math.max(0, ...own.map(({ lateDays }) => lateDays ?? 0)),
  };
};

export const noticeDaysIn = (terms: BureauTerms, states: readonly State[]): number =>
  strictest(terms, states).noticeDays;

/** Returns why the debt may not be listed on that day, or null. */
export function listingProblem(
  terms: BureauTerms,
  states: readonly State[],
  { dueDate, notifiedOn, listedOn }: ListedDays,
): ListingProblem | null {
  const { noticeDays, lateDays } = strictest(terms, states);
  if (listedOn >= addYears(dueDate, terms.longestYears.years)) return 'too_old';
  // A notice before the due date is none of a debt that is late.
  if (notifiedOn <= dueDate || daysBetween(notifiedOn, listedOn) < noticeDays) return 'notice_missing';
  return daysBetween(dueDate, listedOn) < lateDays ? 'too_early' : null;
}

/** Where the debtor lives. */
export interface DebtPlace {
  readonly holidays: HolidayCalendar;
  readonly states: readonly State[];
  /** The debtor's offset to UTC, in hours. */
  readonly utcOffset: number;
}

/**
 * Returns the moment until which the listing has to be removed: the end of the last of the business days, of which the
 * first is the first business day after the money came or the agreement was made.
 */
export function removalTerm(
  { removal }: BureauTerms,
  { holidays, states, utcOffset }: DebtPlace,
  from: LocalDate,
): number {
  const last = addBusinessDays(holidays, from, removal.businessDays, states);
  return startOfDay(addDays(last, 1), utcOffset) - 1;
}

/** Reminders end after so many business days past the term, so that a listing that is recorded wrongly does not remind for ever. */
const LAST_REMINDERS = [1, 5, 10, 15, 20, 30, 40, 60];

/**
 * Returns when staff are told of a listing that is to be removed, after `after`: on the business day before the last one,
 * on the last one, and then at growing distances; null once there is nothing more to tell.
 */
export function nextReminder(
  { holidays, states, utcOffset }: DebtPlace,
  { removeBy, after }: { readonly removeBy: number; readonly after: number },
): number | null {
  const lastDay = localDate(removeBy, utcOffset);
  let before = addDays(lastDay, -1);
  while (businessDayFrom(holidays, before, states) !== before) before = addDays(before, -1);
  const days = [before, lastDay, ...LAST_REMINDERS.map((count) => addBusinessDays(holidays, lastDay, count, states))];
  const moments = days.map((day) => startOfDay(day, utcOffset) + MORNING);
  return moments.find((moment) => moment > after) ?? null;
}

/** When offices open. */
const MORNING = 9 * HOUR;
