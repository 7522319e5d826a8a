import type { CollectsFor } from '../../../../kernel/collects-for.ts';
import type { PlainCase } from '../plain/reading.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A moment at the debtor's place. */
export interface LocalMoment {
  readonly at: number;
  readonly midnight: number;
  /** The date so many days later, and so many years. */
  date(days: number, years?: number): string;
}

/** What has been between the client and the debtor, from which one of the rules may follow. */
export interface History {
  readonly name: string;
  readonly collectsFor: CollectsFor;
  facts(moment: LocalMoment): Partial<Omit<PlainCase, 'askedAt'>>;
}

const history = (name: string, facts: History['facts'], collectsFor: CollectsFor = 'itself'): History => ({
  name,
  facts,
  collectsFor,
});
const both = (moments: readonly number[]) => ({ person: moments, phone: moments });

export const HISTORIES: readonly History[] = [
  history('nothing was before', () => ({})),
  history('nothing was before; the client collects for others', () => ({}), 'others'),
  history('a contact exactly a day ago', ({ at }) => both([at - DAY])),
  history('a contact in the last minute of yesterday', ({ midnight }) => both([midnight - MINUTE])),
  history('a contact in the first minute of today', ({ midnight }) => both([midnight])),
  history(
    'two contacts today; the client collects for others',
    ({ midnight }) => both([midnight, midnight + HOUR]),
    'others',
  ),
  history('a contact later today, by another clock', ({ midnight }) => both([midnight + DAY - MINUTE])),
  history('a contact of another person by this phone today', ({ midnight }) => ({ phone: [midnight + HOUR] })),
  history('a contact of this person by another phone today', ({ midnight }) => ({ person: [midnight + HOUR] })),
  history('two contacts in these seven days', ({ at }) => both([at - 100 * HOUR, at - 50 * HOUR])),
  history('three contacts, the first exactly 168 hours ago', ({ at }) =>
    both([at - 168 * HOUR, at - 100 * HOUR, at - 50 * HOUR]),
  ),
  history('three contacts, the first a minute more than 168 hours ago', ({ at }) =>
    both([at - 168 * HOUR - MINUTE, at - 100 * HOUR, at - 50 * HOUR]),
  ),
  history('three contacts before and after, by other clocks', ({ at }) =>
    both([at - 60 * HOUR, at + 50 * HOUR, at + 100 * HOUR]),
  ),
  history('three contacts of others by this phone', ({ at }) => ({
    phone: [at - 110 * HOUR, at - 80 * HOUR, at - 50 * HOUR],
  })),
  history('three contacts of this person by other phones', ({ at }) => ({
    person: [at - 110 * HOUR, at - 80 * HOUR, at - 50 * HOUR],
  })),
  history('due today', ({ date }) => ({ dueDate: date(0) })),
  history('due today, with a reminder', ({ date }) => ({ dueDate: date(0), remindedBefore: [0] })),
  history('due tomorrow, with reminders', ({ date }) => ({ dueDate: date(1), remindedBefore: [3, 1, 0] })),
  history('due in nine days, with reminders', ({ date }) => ({ dueDate: date(9), remindedBefore: [10, 5] })),
  history('due yesterday', ({ date }) => ({ dueDate: date(-1) })),
  history('due four years and a day ago', ({ date }) => ({ dueDate: date(-1, -4) })),
  history('due five years ago today', ({ date }) => ({ dueDate: date(0, -5) })),
  history('due five years and a day ago', ({ date }) => ({ dueDate: date(-1, -5) })),
  history('promised for today', ({ date }) => ({ promisedDate: date(0) })),
  history('promised for yesterday', ({ date }) => ({ promisedDate: date(-1) })),
  history('said today that it is paid', ({ midnight }) => ({ saidPaidAt: midnight })),
  history('said three days ago that it is paid', ({ midnight }) => ({ saidPaidAt: midnight - 3 * DAY + HOUR })),
  history('said a week ago that it is paid', ({ midnight }) => ({ saidPaidAt: midnight - 7 * DAY + HOUR })),
  history('opted out', () => ({ said: 'opt_out' })),
  history('disputed', () => ({ said: 'dispute' })),
  history('on hold', () => ({ said: 'hold' })),
  history('another person has the phone', () => ({ said: 'wrong_person' })),
  history('a message waits to be handled', () => ({ inboxWaiting: true })),
  history('staff have the conversation for two hours', ({ at }) => ({ staffAnswersUntil: at + 2 * HOUR })),
  history('staff had the conversation until now', ({ at }) => ({ staffAnswersUntil: at })),
];
