import type { CollectsFor } from '../../../../kernel/collects-for.ts';
import type { HolidayCalendar, HolidayRules } from '../../../../kernel/holidays.ts';
import type { ContactDecision } from '../contact-policy.ts';
import type { ContactQuestion } from '../contact-question.ts';
import { dateOfDay, dayOf, MS_OF_DAY, type PlainHolidays, plainHolidays } from '../plain/days.ts';
import { eachPlace, PLAIN_CODES, plainPlace } from '../plain/places.ts';
import { type PlainAnswer, type PlainCase, type PlainReading, plainReading, plainRules } from '../plain/reading.ts';
import { type BindingPack, bindingPack, CHANNELS, type Channel, type PolicyPack } from '../policy-pack.ts';
import { HISTORIES, type History, type LocalMoment } from './histories.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The engine and what it reads, and the pack and the holidays that are read plainly. The shipped check reads the same. */
export interface Compared {
  readonly decide: (question: ContactQuestion) => ContactDecision;
  readonly pack: PolicyPack;
  readonly calendar: HolidayCalendar;
  readonly plainPack: PolicyPack;
  readonly plainHolidays: HolidayRules;
}

export interface Counterexample {
  readonly at: number;
  readonly areaCode: string;
  readonly channel: Channel;
  readonly history: string;
  readonly engine: string;
  readonly plain: string;
}

export interface Comparison {
  readonly decisions: number;
  readonly counterexamples: readonly Counterexample[];
}

/** A pack that is read wrongly is read wrongly a million times, so the first ones suffice. */
export const MAX_COUNTEREXAMPLES = 10;

/** Of so many refusals one is asked for its next moment too, which takes much longer than the refusal itself. */
const NEXT_OF = 199;
/** So far ahead the plain reading looks for an earlier opening. */
const LOOKED_AHEAD = 45 * MS_OF_DAY;

const STATUS = { dispute: 'DISPUTED', hold: 'ON_HOLD' } as const;

const questionOf = (
  pack: BindingPack,
  holidays: HolidayCalendar,
  areaCode: string,
  asked: PlainCase,
): Omit<ContactQuestion, 'channel'> => ({
  pack,
  holidays,
  now: asked.askedAt,
  phoneAreaCode: areaCode,
  otherAreaCodes: [],
  debt: {
    status: asked.said === 'dispute' || asked.said === 'hold' ? STATUS[asked.said] : 'IN_COLLECTION',
    dueDate: asked.dueDate,
    promisedDate: asked.promisedDate,
    saidPaidAt: asked.saidPaidAt,
    staffAnswersUntil: asked.staffAnswersUntil,
    reminders: { daysBefore: asked.remindedBefore, sentAt: null },
  },
  suppressions: { optedOut: asked.said === 'opt_out', wrongPerson: asked.said === 'wrong_person', elsewhere: false },
  campaignPaused: false,
  campaignArchived: false,
  clientInactive: false,
  clientUnverified: false,
  inboxWaiting: asked.inboxWaiting,
  ledger: {
    person: asked.person.map((at) => ({ at, own: true })),
    phone: asked.phone.map((at) => ({ at, own: true })),
  },
});

const localMoment = (at: number, hoursBehind: number): LocalMoment => {
  const day = Math.floor((at - hoursBehind * HOUR) / MS_OF_DAY);
  return {
    at,
    midnight: day * MS_OF_DAY + hoursBehind * HOUR,
    date: (days, years = 0) => {
      const later = new Date((day + days) * MS_OF_DAY);
      return years === 0
        ? dateOfDay(day + days)
        : new Date(later.setUTCFullYear(later.getUTCFullYear() + years)).toISOString().slice(0, 10);
    },
  };
};

const caseOf = (history: History, moment: LocalMoment): PlainCase => ({
  askedAt: moment.at,
  dueDate: moment.date(-90),
  remindedBefore: [],
  promisedDate: null,
  saidPaidAt: null,
  staffAnswersUntil: null,
  inboxWaiting: false,
  said: 'nothing',
  person: [],
  phone: [],
  ...history.facts(moment),
});

const words = (allowed: boolean, ruleIds: readonly string[]): string =>
  `${allowed ? 'allows it by' : 'refuses it by'} ${ruleIds.length === 0 ? 'no rule of the pack' : ruleIds.join(', ')}`;

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id, place) => id === other[place]);

/** Says what the engine and the plain reading say differently; null when they agree. */
function difference(
  decision: ContactDecision,
  plain: PlainAnswer,
  lapsed: ReadonlySet<string>,
): [string, string] | null {
  // No opening is left before prescription, so the engine names it as well. The look ahead judges whether that is so.
  const lapses = !decision.allowed && decision.notBefore === null && decision.rules.at(-1) === 'prescription';
  const left = lapses
    ? decision.ruleIds.filter((id) => plain.ruleIds.includes(id) || !lapsed.has(id))
    : decision.ruleIds;
  if (decision.allowed === plain.allowed && isSame(left, plain.ruleIds)) return null;
  return [words(decision.allowed, decision.ruleIds), words(plain.allowed, plain.ruleIds)];
}

const timeOf = (at: number | null): string => (at === null ? 'never' : new Date(at).toISOString());

/** Says what is wrong with the moment from which the engine allows the contact; null when it is the earliest. */
function nextDifference(reading: PlainReading, asked: PlainCase, notBefore: number | null): [string, string] | null {
  const says = `names ${timeOf(notBefore)} as the next moment`;
  if (reading.isForGood(asked)) return notBefore === null ? null : [says, 'allows it at no moment'];
  if (notBefore !== null && !reading.opensAt(asked, notBefore)) return [says, 'refuses it at that moment too'];
  const end = Math.min(notBefore ?? Number.POSITIVE_INFINITY, asked.askedAt + LOOKED_AHEAD);
  const earlier = reading.edges(asked, asked.askedAt + 1, end).filter((at) => reading.opensAt(asked, at));
  return earlier.length === 0 ? null : [says, `allows it from ${timeOf(Math.min(...earlier))} on`];
}

/** Remembers the frames of places and channels, which the plain reading makes anew for each. */
function createComparer(compared: Compared) {
  const holidays: PlainHolidays = plainHolidays(compared.plainHolidays);
  const readings = new Map<string, PlainReading>();
  const lapsed = new Set(compared.pack.rules.filter(({ rule }) => rule === 'prescription').map(({ id }) => id));
  const readingOf = (collectsFor: CollectsFor, channel: Channel, areaCode: string): PlainReading => {
    const name = `${collectsFor} ${channel} ${areaCode}`;
    const found = readings.get(name);
    if (found !== undefined) return found;
    const rules = plainRules({ pack: compared.plainPack, collectsFor, channel, areaCode });
    // A reading knows of a channel and a kind of client by their rules alone. So those with the same rules share one, and
    // the same question needs to be read but once for them; the engine is asked about each.
    const same = `${areaCode} ${JSON.stringify(rules)}`;
    const made = readings.get(same) ?? plainReading({ rules, holidays, areaCode });
    readings.set(same, made).set(name, made);
    return made;
  };
  const counterexamples: Counterexample[] = [];
  let decisions = 0;
  let refusals = 0;

  /** Asks the same of each channel. */
  function compare(
    areaCode: string,
    channels: readonly Channel[],
    history: History,
    moment: LocalMoment,
    everyNext: number,
  ): void {
    const asked = caseOf(history, moment);
    const pack = bindingPack(compared.pack, history.collectsFor);
    const question = questionOf(pack, compared.calendar, areaCode, asked);
    let last: { readonly reading: PlainReading; readonly answer: PlainAnswer } | undefined;
    for (const channel of channels) {
      const reading = readingOf(history.collectsFor, channel, areaCode);
      if (last?.reading !== reading) last = { reading, answer: reading.read(asked) };
      const decision = compared.decide({ ...question, channel });
      decisions += 1;
      let found = difference(decision, last.answer, lapsed);
      if (found === null && !decision.allowed) {
        refusals += 1;
        if (refusals % everyNext === 0) found = nextDifference(reading, asked, decision.notBefore);
      }
      if (found === null) continue;
      const [engine, plain] = found;
      counterexamples.push({ at: moment.at, areaCode, channel, history: history.name, engine, plain });
    }
  }

  const isFull = (): boolean => counterexamples.length >= MAX_COUNTEREXAMPLES;
  return {
    compare,
    isFull,
    result: (): Comparison => ({ decisions, counterexamples }),
  };
}

/** The times of day at which a rule begins or ends to allow contacts, in either pack, with midnight. */
export function boundaryMinutes(...packs: readonly PolicyPack[]): readonly number[] {
  const windows = packs.flatMap(({ rules }) => rules.flatMap((rule) => (rule.rule === 'window' ? rule.windows : [])));
  return [...new Set([0, ...windows.flatMap(({ from, to }) => [from, to % 1_440])])].sort((one, other) => one - other);
}

export interface Span {
  readonly from: string;
  readonly days: number;
  /** Of so many refusals one is asked for its next moment. */
  readonly everyNext?: number;
}

/** Compares every boundary of every day with the minutes beside it, on each channel, with each history. */
export function compareBoundaries(
  compared: Compared,
  areaCode: string,
  { from, days, everyNext = NEXT_OF }: Span,
): Comparison {
  const comparer = createComparer(compared);
  const minutes = boundaryMinutes(compared.pack, compared.plainPack);
  const [zone, ...others] = plainPlace(areaCode).behind as [number, ...number[]];
  for (let day = dayOf(from); day < dayOf(from) + days; day += 1) {
    for (const hours of [zone, ...others]) {
      for (const minute of minutes) {
        for (const beside of [-1, 0, 1]) {
          const moment = localMoment(day * MS_OF_DAY + hours * HOUR + (minute + beside) * MINUTE, zone);
          for (const history of HISTORIES) comparer.compare(areaCode, CHANNELS, history, moment, everyNext);
          if (comparer.isFull()) return comparer.result();
        }
      }
    }
  }
  return comparer.result();
}

/** A small generator of numbers (mulberry32): the same seed gives the same sample on every machine. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

export interface Sample extends Span {
  readonly size: number;
  readonly seed: number;
}

/** Compares moments of any millisecond, each with an area code, a channel and a history of its own. */
export function compareSample(compared: Compared, { from, days, size, seed, everyNext = NEXT_OF }: Sample): Comparison {
  const comparer = createComparer(compared);
  const random = randomFrom(seed);
  const pick = <Value>(list: readonly Value[]): Value => list[random(list.length)]!;
  const start = dayOf(from) * MS_OF_DAY;
  for (let drawn = 0; drawn < size && !comparer.isFull(); drawn += 1) {
    const at = start + random(days) * MS_OF_DAY + random(MS_OF_DAY);
    const areaCode = pick(PLAIN_CODES);
    const moment = localMoment(at, plainPlace(areaCode).behind[0]!);
    comparer.compare(areaCode, [pick(CHANNELS)], pick(HISTORIES), moment, everyNext);
  }
  return comparer.result();
}

/** One area code for each place that differs from the others. */
export const PLACES_TO_COMPARE: readonly string[] = eachPlace().map(({ code }) => code);
