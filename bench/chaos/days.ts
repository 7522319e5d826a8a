import { businessDayAfter, isOpen } from '../../testing/checker/place.ts';
import { AREA_CODES } from './people.ts';

/** One position of the service's clock. The campaign goes from one to the next, as weeks would. */
export interface Day {
  readonly name: string;
  /** The moment at which the day begins, by the clock of the service. */
  readonly at: number;
  /** Whether contacts are allowed. */
  readonly open: boolean;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FIRST_HOUR = 12;
/**
 * Contacts that wait for an opening come in the two hours after it, in Acre until 13:00 of São Paulo; and the command
 * that wakes debts takes one for overdue that is an hour late.
 */
const LATER_HOUR = 14.25;
const PHONES = AREA_CODES.map((code) => `+55${code}987000000`);

const moment = (date: string, hour: number): number => Date.parse(`${date}T00:00:00-03:00`) + hour * HOUR;
const dateOf = (at: number): string => new Date(at - 3 * HOUR).toISOString().slice(0, 10);
const isOpenForAll = (at: number): boolean => PHONES.every((phone) => isOpen(phone, at));
const isOpenForAny = (at: number): boolean => PHONES.some((phone) => isOpen(phone, at));

/** The first day from this one on, at this hour of São Paulo, on which everybody may be contacted. */
function openDayFrom(at: number, hour: number): number {
  let opening = moment(dateOf(at), hour);
  for (let tries = 0; !isOpenForAll(opening); tries += 1) {
    if (tries > 60) throw new Error('No day is open.');
    opening += DAY;
  }
  return opening;
}

/** The waits of the product's sequence before each contact, in days. */
const WAITS = [0, 3, 4, 7, 10, 14];
export const MAX_CONTACTS = WAITS.length;

/**
 * A day for each of the first contacts of a sequence, and between them one night, one Saturday or Sunday, and each
 * holiday on the way, when nobody may be contacted although contacts are due.
 */
export function daysOfSequence(now: number, contacts: number): readonly Day[] {
  const days: Day[] = [];
  let opening = openDayFrom(now + 2 * DAY, FIRST_HOUR);
  for (const [index, wait] of WAITS.slice(0, contacts).entries()) {
    if (index > 0) {
      const due = opening + wait * DAY;
      opening = openDayFrom(due + DAY, LATER_HOUR);
      for (let noon = moment(dateOf(due), 13); noon < opening; noon += DAY) {
        const isWeekend = [0, 6].includes(new Date(noon).getUTCDay());
        const hadWeekend = days.some(({ name }) => name === 'a weekend');
        if (isOpenForAny(noon) || (isWeekend && hadWeekend)) continue;
        days.push({ name: isWeekend ? 'a weekend' : 'a holiday', at: noon, open: false });
      }
    }
    days.push({ name: `contact ${index + 1}`, at: opening, open: true });
    if (index === 0 && contacts > 1) days.push({ name: 'the night', at: moment(dateOf(opening), 21.5), open: false });
  }
  return days;
}

/** When the bills of a run fall due, and how many days before it the campaigns remind. */
export interface DueDates {
  readonly overdue: string;
  /** On the day of the second contact, and on the day after it. */
  readonly upcoming: readonly [string, string];
  readonly reminders: readonly number[];
}

const DAYS_OVERDUE = 90;
/** The earliest reminder that a campaign may have. */
const MAX_DAYS_BEFORE = 10;

/**
 * Reminders of bills that are not due yet come on the days of the first two contacts. The days between are not played, so
 * that what was to be reminded of on one of them is missed.
 */
export function dueDatesOf(days: readonly Day[], now: number): DueDates {
  const [first, second] = days.filter(({ open }) => open).map(({ at }) => at);
  const due = second ?? first! + 5 * DAY;
  const daysBefore = Math.min(Math.round((due - first!) / DAY), MAX_DAYS_BEFORE);
  return {
    overdue: dateOf(now - DAYS_OVERDUE * DAY),
    upcoming: [dateOf(due), dateOf(second === undefined ? due : due + DAY)],
    reminders: [daysBefore, 1, 0],
  };
}

/** Another day for what faults have delayed. */
export const dayAfter = (at: number): Day => ({
  name: 'a day for what was delayed',
  at: openDayFrom(moment(businessDayAfter(PHONES[0]!, dateOf(at)), LATER_HOUR), LATER_HOUR),
  open: true,
});
