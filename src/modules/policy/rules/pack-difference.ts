import { addDays, type LocalDate } from '../../../kernel/calendar.ts';
import type { CollectsFor } from '../../../kernel/collects-for.ts';
import { STATES, type State } from '../../../kernel/phone.ts';
import {
  bindingPack,
  CHANNELS,
  type Channel,
  ofKind,
  type PolicyPack,
  type PolicyRule,
  rulesFor,
} from './policy-pack.ts';

const MINUTES = 1_440;
const WEEK = [1, 2, 3, 4, 5, 6, 0];

/** Minutes since midnight; `from` belongs to the range, `to` does not. */
export interface MinuteRange {
  readonly from: number;
  readonly to: number;
}

/** One day of an ordinary week, without holidays. */
export interface DayDifference {
  readonly day: number;
  readonly before: readonly MinuteRange[];
  readonly after: readonly MinuteRange[];
  readonly opens: readonly MinuteRange[];
  readonly closes: readonly MinuteRange[];
}

/** The same week of several states and channels. */
export interface WeekDifference {
  readonly collectsFor: readonly CollectsFor[];
  readonly states: readonly State[];
  readonly channels: readonly Channel[];
  readonly days: readonly DayDifference[];
}

/** From this day on the weeks differ in this way. */
interface DatedDifference {
  readonly on: LocalDate;
  readonly weeks: readonly WeekDifference[];
}

export interface RuleDifference {
  readonly before: PolicyRule | null;
  readonly after: PolicyRule | null;
}

export interface PackDifference {
  readonly dated: readonly DatedDifference[];
  readonly rules: readonly RuleDifference[];
}

/** One for each minute that is inside every window. */
const opensAt = (rules: readonly PolicyRule[], day: number, on: LocalDate): Uint8Array => {
  const open = new Uint8Array(MINUTES).fill(1);
  for (const { windows } of ofKind(rules, 'window', on)) {
    const allowed = new Uint8Array(MINUTES);
    for (const { days, from, to } of windows) if (days.includes(day)) allowed.fill(1, from, to);
    for (let minute = 0; minute < MINUTES; minute += 1) open[minute] = open[minute]! & allowed[minute]!;
  }
  return open;
};

const rangesOf = (holds: (minute: number) => boolean): MinuteRange[] => {
  const ranges: MinuteRange[] = [];
  for (let minute = 0; minute < MINUTES; minute += 1) {
    if (!holds(minute)) continue;
    const from = minute;
    while (minute < MINUTES && holds(minute)) minute += 1;
    ranges.push({ from, to: minute });
  }
  return ranges;
};

function daysThatDiffer(
  before: readonly PolicyRule[],
  after: readonly PolicyRule[],
  on: LocalDate,
): readonly DayDifference[] {
  return WEEK.flatMap((day) => {
    const [was, is] = [opensAt(before, day, on), opensAt(after, day, on)];
    const opens = rangesOf((minute) => is[minute]! > was[minute]!);
    const closes = rangesOf((minute) => was[minute]! > is[minute]!);
    if (opens.length + closes.length === 0) return [];
    return [
      {
        day,
        before: rangesOf((minute) => was[minute] === 1),
        after: rangesOf((minute) => is[minute] === 1),
        opens,
        closes,
      },
    ];
  });
}

interface Grouped<Key, Value> {
  readonly key: Key;
  readonly values: readonly Value[];
}

/** Puts together the values whose keys are equal as text, in the order in which the keys first come. */
function grouped<Key, Value>(pairs: readonly (readonly [Key, Value])[]): Grouped<Key, Value>[] {
  const groups = new Map<string, { key: Key; values: Value[] }>();
  for (const [key, value] of pairs) {
    const name = JSON.stringify(key);
    const group = groups.get(name) ?? { key, values: [] };
    groups.set(name, group);
    group.values.push(value);
  }
  return [...groups.values()];
}

function weeksOn(before: PolicyPack, after: PolicyPack, on: LocalDate): readonly WeekDifference[] {
  const kinds = (['itself', 'others'] as const).flatMap((collectsFor) => {
    const [was, is] = [bindingPack(before, collectsFor), bindingPack(after, collectsFor)];
    /** Most rules speak of every channel, so that the four have one week. */
    const weeks = new Map<string, readonly DayDifference[]>();
    const weekOf = (state: State, channel: Channel): readonly DayDifference[] => {
      const [rulesBefore, rulesAfter] = [rulesFor(was, [state], channel), rulesFor(is, [state], channel)];
      const windowIds = (rules: readonly PolicyRule[]) =>
        rules.flatMap(({ id, rule }) => (rule === 'window' ? [id] : []));
      const name = JSON.stringify([windowIds(rulesBefore), windowIds(rulesAfter)]);
      const found = weeks.get(name) ?? daysThatDiffer(rulesBefore, rulesAfter, on);
      weeks.set(name, found);
      return found;
    };
    const ofState = STATES.flatMap((state) =>
      grouped(CHANNELS.map((channel) => [weekOf(state, channel), channel] as const)).map(
        ({ key: days, values: channels }) => [{ days, channels }, state] as const,
      ),
    );
    return grouped(ofState.filter(([{ days }]) => days.length > 0)).map(
      ({ key: { days, channels }, values: states }) => [{ states, channels, days }, collectsFor] as const,
    );
  });
  return grouped(kinds).map(({ key, values: collectsFor }) => ({ collectsFor, ...key }));
}

/** Farther ahead no law is known, and a pack with more dates than these is none that a person reads. */
const DAYS_AHEAD = 731;
const MAX_DATES = 24;

/** The days on which a rule of either pack begins to apply or has ceased to, from `on`. */
function changingDays(packs: readonly PolicyPack[], on: LocalDate): readonly LocalDate[] {
  const end = addDays(on, DAYS_AHEAD);
  const days = packs.flatMap(({ rules }) =>
    rules.flatMap(({ effectiveFrom, effectiveTo }) => [
      ...(effectiveFrom === null ? [] : [effectiveFrom]),
      ...(effectiveTo === null ? [] : [addDays(effectiveTo, 1)]),
    ]),
  );
  return [on, ...[...new Set(days)].filter((day) => on < day && day <= end).sort()].slice(0, MAX_DATES);
}

/** Returns which minutes of an ordinary week open and close, and which rules differ. */
export function differenceOf(before: PolicyPack, after: PolicyPack, on: LocalDate): PackDifference {
  const dated: DatedDifference[] = [];
  for (const day of changingDays([before, after], on)) {
    const weeks = weeksOn(before, after, day);
    if (JSON.stringify(weeks) !== JSON.stringify(dated.at(-1)?.weeks ?? [])) dated.push({ on: day, weeks });
  }
  const ids = [...new Set([...before.rules, ...after.rules].map(({ id }) => id))];
  const of = ({ rules }: PolicyPack, id: string): PolicyRule | null => rules.find((rule) => rule.id === id) ?? null;
  const rules = ids.map((id) => ({ before: of(before, id), after: of(after, id) }));
  return { dated, rules: rules.filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after)) };
}
