import type { CollectsFor } from '../../../../kernel/collects-for.ts';
import type { Channel, PolicyPack, PolicyRule } from '../policy-pack.ts';
import { dateOfDay, dayOf, kept, MS_OF_DAY, type PlainHolidays, weekdayOf, yearsLater } from './days.ts';
import { plainPlace } from './places.ts';

/**
 * A second reading of the rules, written from the words of `policies/README.md` and not from the engine, so that a
 * mistake of the engine is not repeated here. It shares types with the engine and no code; it is slow and short. What it
 * says and what the engine says is compared by `quita policy check`.
 */
export interface PlainCase {
  readonly askedAt: number;
  readonly dueDate: string;
  /** The days before the due date on which the debtor is reminded. */
  readonly remindedBefore: readonly number[];
  readonly promisedDate: string | null;
  readonly saidPaidAt: number | null;
  readonly staffAnswersUntil: number | null;
  readonly inboxWaiting: boolean;
  /** What the debtor, or the client, has said about the debt. */
  readonly said: 'nothing' | 'opt_out' | 'dispute' | 'hold' | 'wrong_person';
  readonly person: readonly number[];
  readonly phone: readonly number[];
}

const NOTHING: PlainCase = {
  askedAt: 0,
  dueDate: '2000-01-01',
  remindedBefore: [],
  promisedDate: null,
  saidPaidAt: null,
  staffAnswersUntil: null,
  inboxWaiting: false,
  said: 'nothing',
  person: [],
  phone: [],
};

export interface PlainAnswer {
  readonly allowed: boolean;
  /** The rules that the contact has passed, or those that forbid it; in order. */
  readonly ruleIds: readonly string[];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Rules of other kinds speak of replies, receipts and texts, and not of whether a contact may be made. */
const OF_CONTACTS = new Set<string>(
  'window holidays caps due prescription opt_out dispute hold wrong_person promise said_paid inbox person_answering'.split(
    ' ',
  ),
);

interface PlainPerson {
  readonly pack: PolicyPack;
  readonly collectsFor: CollectsFor;
  readonly channel: Channel;
  readonly areaCode: string;
}

/** The rules of a pack that speak of contacts by this channel, at this place, of this kind of client. */
export function plainRules({ pack, collectsFor, channel, areaCode }: PlainPerson): readonly PolicyRule[] {
  const { states } = plainPlace(areaCode);
  return pack.rules.filter(
    (rule) =>
      OF_CONTACTS.has(rule.rule) &&
      rule.status !== 'bill' &&
      (rule.binds === 'all' || collectsFor === 'others') &&
      (rule.channels === 'all' || rule.channels.includes(channel)) &&
      (rule.states === 'all' || rule.states.some((state) => states.includes(state))),
  );
}

interface PlainFrame {
  readonly rules: readonly PolicyRule[];
  readonly holidays: PlainHolidays;
  readonly areaCode: string;
}

export interface PlainReading {
  /** The answer to a contact at the moment of the question. */
  read(asked: PlainCase): PlainAnswer;
  /** Whether the same question may be asked again at a later moment and then be allowed, as far as is known now. */
  opensAt(asked: PlainCase, at: number): boolean;
  /** Whether some wait of time alone can ever lift what forbids the contact. */
  isForGood(asked: PlainCase): boolean;
  /** The moments from `from` to `to` at which an answer may change because of the hour or of a contact. */
  edges(asked: PlainCase, from: number, to: number): readonly number[];
}

export function plainReading({ rules: ofPlace, holidays, areaCode }: PlainFrame): PlainReading {
  const { states, behind } = plainPlace(areaCode);
  const dayIn = (at: number, hours: number): number => Math.floor((at - hours * HOUR) / MS_OF_DAY);
  const minuteIn = (at: number, hours: number): number =>
    Math.floor((at - hours * HOUR) / MINUTE) - dayIn(at, hours) * 1_440;
  const inForceOn = kept((day: number): PolicyRule[] => {
    const today = dateOfDay(day);
    return ofPlace.filter(
      ({ effectiveFrom, effectiveTo }) => (effectiveFrom ?? today) <= today && (effectiveTo ?? today) >= today,
    );
  });
  const inForce = (at: number): PolicyRule[] => inForceOn(dayIn(at, behind[0]!));
  const isBusinessDay = (day: number): boolean =>
    weekdayOf(day) !== 0 &&
    weekdayOf(day) !== 6 &&
    !holidays.national(day) &&
    !states.some((state) => holidays.ofState(day, state));
  const businessDaysLater = (day: number, count: number): number => {
    let later = day;
    for (let left = count; left > 0; ) {
      later += 1;
      if (isBusinessDay(later)) left -= 1;
    }
    return later;
  };
  /** The day has come everywhere. */
  const hasCome = (day: number, at: number): boolean => behind.every((hours) => dayIn(at, hours) >= day);
  const silentUntil = (saidPaidAt: number, businessDays: number): number =>
    businessDaysLater(Math.max(...behind.map((hours) => dayIn(saidPaidAt, hours))), businessDays) + 1;

  /** Whether this rule, taken alone, forbids a contact at this moment. */
  function forbids(rule: PolicyRule, asked: PlainCase, at: number): boolean {
    switch (rule.rule) {
      case 'window':
        return !behind.every((hours) =>
          rule.windows.some(
            ({ days, from, to }) =>
              days.includes(weekdayOf(dayIn(at, hours))) && from <= minuteIn(at, hours) && minuteIn(at, hours) < to,
          ),
        );
      case 'holidays':
        return behind.some((hours) => {
          const day = dayIn(at, hours);
          return (
            (rule.national && holidays.national(day)) ||
            (rule.state && states.some((state) => holidays.ofState(day, state)))
          );
        });
      case 'caps':
        return rule.countedPer.some((of) => isOverCap(rule, asked[of], at));
      case 'due':
        return isEarly(rule, asked, at) && !remindersOf(asked).some((day) => isDay(day, at));
      case 'prescription':
        return behind.some((hours) => dayIn(at, hours) > yearsLater(asked.dueDate, rule.years));
      case 'promise':
        return (
          asked.promisedDate !== null && !hasCome(businessDaysLater(dayOf(asked.promisedDate), rule.businessDays), at)
        );
      case 'said_paid':
        // When the silence is over a person has to look, so a message is not sent then either.
        return (
          asked.saidPaidAt !== null &&
          (at === asked.askedAt || !hasCome(silentUntil(asked.saidPaidAt, rule.businessDays), at))
        );
      case 'inbox':
        return asked.inboxWaiting && at < asked.askedAt + rule.retryMinutes * MINUTE;
      case 'person_answering':
        return asked.staffAnswersUntil !== null && at < asked.staffAnswersUntil;
      default:
        return rule.rule === asked.said;
    }
  }

  const isEarly = (rule: Extract<PolicyRule, { rule: 'due' }>, { dueDate }: PlainCase, at: number): boolean =>
    !hasCome(dayOf(dueDate) + rule.daysAfterDue, at);
  /** It is this day everywhere. */
  const isDay = (day: number, at: number): boolean => behind.every((hours) => dayIn(at, hours) === day);
  const isOpenAt = (day: number, at: number): boolean =>
    isDay(day, at) &&
    !inForce(at).some((rule) => (rule.rule === 'window' || rule.rule === 'holidays') && forbids(rule, NOTHING, at));
  const minutesOfDay = new Set(
    ofPlace.flatMap((rule) => (rule.rule === 'window' ? rule.windows.map(({ from }) => from) : [0])),
  );
  const hasOpening = (day: number): boolean =>
    behind.some((hours) =>
      [...minutesOfDay].some((minute) => isOpenAt(day, day * MS_OF_DAY + hours * HOUR + minute * MINUTE)),
    );
  /** A day without an opening gives its reminder to the last one before it that has one, at most ten days earlier. */
  const remindersOf = ({ dueDate, remindedBefore }: PlainCase): number[] =>
    remindedBefore.flatMap((days) => {
      const wanted = dayOf(dueDate) - days;
      return Array.from({ length: 11 }, (_, earlier) => wanted - earlier).find(hasOpening) ?? [];
    });

  function isOverCap(
    { count, period }: Extract<PolicyRule, { rule: 'caps' }>,
    contacts: readonly number[],
    at: number,
  ): boolean {
    const all = [...contacts, at];
    if (period === 'calendar_day') {
      return behind.some((hours) => all.filter((one) => dayIn(one, hours) === dayIn(at, hours)).length > count);
    }
    // Any stretch of so many hours with this contact in it, both ends included.
    return all.some((first) => {
      const last = first + period.hours * HOUR;
      return first <= at && at <= last && all.filter((one) => first <= one && one <= last).length > count;
    });
  }

  const hasItsOwn = new Set(['window', 'holidays', 'caps']);
  /** Hours, holidays and caps follow the day of the contact; what concerns the debt follows the rules of today. */
  const ruling = (asked: PlainCase, at: number): PolicyRule[] => [
    ...inForce(at).filter(({ rule }) => hasItsOwn.has(rule)),
    ...inForce(asked.askedAt).filter(({ rule }) => !hasItsOwn.has(rule)),
  ];

  return {
    read(asked) {
      const rules = inForce(asked.askedAt);
      const against = rules.filter((rule) => forbids(rule, asked, asked.askedAt));
      if (against.length === 0) {
        // A reminder comes before the debt is due, so it has not passed that rule.
        const passed = rules.filter((rule) => rule.rule !== 'due' || !isEarly(rule, asked, asked.askedAt));
        return { allowed: true, ruleIds: passed.map(({ id }) => id) };
      }
      const kinds = new Set(against.map(({ rule }) => rule));
      // Of hours, holidays and caps the ones that forbid it by themselves are named, of other kinds each rule.
      const named = rules.filter((rule) => (hasItsOwn.has(rule.rule) ? against.includes(rule) : kinds.has(rule.rule)));
      return { allowed: false, ruleIds: named.map(({ id }) => id) };
    },
    opensAt: (asked, at) => !ruling(asked, at).some((rule) => forbids(rule, asked, at)),
    isForGood: (asked) =>
      asked.said !== 'nothing' ||
      inForce(asked.askedAt).some(
        (rule) =>
          (rule.rule === 'prescription' && forbids(rule, asked, asked.askedAt)) ||
          (rule.rule === 'said_paid' &&
            asked.saidPaidAt !== null &&
            hasCome(silentUntil(asked.saidPaidAt, rule.businessDays), asked.askedAt)),
      ),
    edges(asked, from, to) {
      const minutes = new Set([0]);
      const moments: number[] = [];
      for (const rule of ofPlace) {
        if (rule.rule === 'window') for (const one of rule.windows) minutes.add(one.from).add(one.to);
        if (rule.rule === 'inbox') moments.push(asked.askedAt + rule.retryMinutes * MINUTE);
        if (rule.rule !== 'caps' || rule.period === 'calendar_day') continue;
        const span = rule.period.hours * HOUR;
        moments.push(...[...asked.person, ...asked.phone].map((one) => one + span + 1));
      }
      if (asked.staffAnswersUntil !== null) moments.push(asked.staffAnswersUntil);
      for (const hours of behind) {
        for (let day = dayIn(from, hours); day <= dayIn(to, hours); day += 1) {
          for (const minute of minutes) moments.push(day * MS_OF_DAY + hours * HOUR + minute * MINUTE);
        }
      }
      return moments.filter((at) => at >= from && at < to);
    },
  };
}
