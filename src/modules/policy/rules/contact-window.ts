import { addDays, DAY, type LocalDate, localDate, startOfDay, weekday } from '../../../kernel/calendar.ts';
import { type HolidayCalendar, isHoliday } from '../../../kernel/holidays.ts';
import type { Place } from '../../../kernel/phone.ts';
import { isInForce, ofKind, type PolicyRule, type RuleKind } from './policy-pack.ts';

/** A half-open interval: it contains `from` but not `to`. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

export interface Frame {
  readonly rules: readonly PolicyRule[];
  readonly holidays: HolidayCalendar;
  readonly place: Place;
}

const MINUTE = 60_000;

const MAX_DAYS_KEPT = 500;

/** Remembers what follows from a frame and a day alone: one debt after the other asks about the same days. */
export function eachDay<Value>(compute: (frame: Frame, date: LocalDate) => Value): typeof compute {
  const knownOf = new WeakMap<Frame, Map<LocalDate, Value>>();
  return (frame, date) => {
    let known = knownOf.get(frame);
    if (known === undefined || known.size >= MAX_DAYS_KEPT) {
      known = new Map();
      knownOf.set(frame, known);
    }
    const found = known.get(date);
    if (found !== undefined) return found;
    const value = compute(frame, date);
    known.set(date, value);
    return value;
  };
}

/** Returns the rules of the frame that are in force on `date`. */
export const rulesInForce = eachDay(({ rules }, date): readonly PolicyRule[] =>
  rules.filter((rule) => isInForce(rule, date)),
);

const rulesByKind = eachDay((frame, date) => Map.groupBy(rulesInForce(frame, date), ({ rule }) => rule));

/** Returns the rules of one kind that are in force on `date`. */
export const rulesOfKind = <K extends RuleKind>(
  frame: Frame,
  kind: K,
  date: LocalDate,
): readonly Extract<PolicyRule, { rule: K }>[] =>
  (rulesByKind(frame, date).get(kind) ?? []) as readonly PolicyRule[] as readonly Extract<PolicyRule, { rule: K }>[];

const intersect = (left: readonly Interval[], right: readonly Interval[]): readonly Interval[] =>
  left.flatMap((a) =>
    right.flatMap((b) => {
      const from = Math.max(a.from, b.from);
      const to = Math.min(a.to, b.to);
      return from < to ? [{ from, to }] : [];
    }),
  );

const computeWindows = ({ rules, place }: Frame, date: LocalDate): readonly Interval[] => {
  const day = weekday(date);
  let local: readonly Interval[] = [{ from: 0, to: DAY }];
  for (const rule of ofKind(rules, 'window', date)) {
    const open = rule.windows.filter(({ days }) => days.includes(day));
    local = intersect(
      local,
      open.map(({ from, to }) => ({ from: from * MINUTE, to: to * MINUTE })),
    );
  }
  return place.utcOffsets
    .map((offset): readonly Interval[] => {
      const midnight = startOfDay(date, offset);
      return local.map(({ from, to }) => ({ from: midnight + from, to: midnight + to }));
    })
    .reduce(intersect)
    .toSorted((a, b) => a.from - b.from);
};

/**
 * Returns the intervals of `date` inside every window in force, in all places where the debtor may be; ignores
 * holidays.
 */
const windowsOf = eachDay(computeWindows);

/** Returns each window rule in force on `date` with the intervals that it alone leaves open. */
const windowsByRule = eachDay((frame, date) =>
  rulesOfKind(frame, 'window', date).map((rule) => ({
    rule,
    open: computeWindows({ ...frame, rules: [rule] }, date),
  })),
);

/** Returns the rules that close `date` as a holiday. */
const rulesOfHoliday = eachDay((frame, date): readonly PolicyRule[] =>
  rulesOfKind(frame, 'holidays', date).filter((scope) => isHoliday(frame.holidays, date, frame.place.states, scope)),
);

const isRuledHoliday = (frame: Frame, date: LocalDate): boolean => rulesOfHoliday(frame, date).length > 0;

const isInside = (intervals: readonly Interval[], at: number): boolean =>
  intervals.some(({ from, to }) => from <= at && at < to);

/** Returns the rules whose own window is closed at the moment `at` in one of the places where the debtor may be. */
export const windowRulesThatClose = (frame: Frame, at: number): readonly PolicyRule[] =>
  windowsByRule(frame, localDate(at, frame.place.utcOffsets[0]!))
    .filter(({ open }) => !isInside(open, at))
    .map(({ rule }) => rule);

export const holidayRulesThatClose = (frame: Frame, at: number): readonly PolicyRule[] =>
  frame.place.utcOffsets.flatMap((offset) => rulesOfHoliday(frame, localDate(at, offset)));

/** Returns the intervals of `date` in which a contact may be made, ascending. */
export const openIntervals = (frame: Frame, date: LocalDate): readonly Interval[] =>
  isRuledHoliday(frame, date) ? [] : windowsOf(frame, date);

const DAYS_SEARCHED = 366;

/** Returns whether a year from `date` has any opening. Settings that contradict each other or the law leave none. */
export const hasOpening = (frame: Frame, date: LocalDate): boolean => {
  for (let days = 0; days < DAYS_SEARCHED; days += 1) {
    if (openIntervals(frame, addDays(date, days)).length > 0) return true;
  }
  return false;
};

export const windowBlocks = (frame: Frame, at: number): readonly ('window' | 'holidays')[] => {
  const dates = frame.place.utcOffsets.map((offset) => localDate(at, offset));
  const inside = isInside(windowsOf(frame, dates[0]!), at);
  const holiday = dates.some((date) => isRuledHoliday(frame, date));
  return [...(inside ? [] : (['window'] as const)), ...(holiday ? (['holidays'] as const) : [])];
};
