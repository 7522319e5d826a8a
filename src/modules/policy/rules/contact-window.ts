import { addDays, DAY, type LocalDate, localDate, startOfDay, weekday } from '../../../kernel/calendar.ts';
import { type HolidayCalendar, isHoliday } from '../../../kernel/holidays.ts';
import type { Place } from '../../../kernel/phone.ts';
import { ofKind, type PolicyRule } from './policy-pack.ts';

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

/** What was computed of a frame. One debt after the other asks about the same days. */
interface KnownDays {
  readonly windows: Map<LocalDate, readonly Interval[]>;
  readonly holidays: Map<LocalDate, boolean>;
}

const MAX_DAYS_KEPT = 500;
const knownDays = new WeakMap<Frame, KnownDays>();

function knownOf(frame: Frame): KnownDays {
  const known = knownDays.get(frame);
  if (known !== undefined && known.windows.size < MAX_DAYS_KEPT && known.holidays.size < MAX_DAYS_KEPT) return known;
  const empty: KnownDays = { windows: new Map(), holidays: new Map() };
  knownDays.set(frame, empty);
  return empty;
}

const intersect = (left: readonly Interval[], right: readonly Interval[]): readonly Interval[] =>
  left.flatMap((a) =>
    right.flatMap((b) => {
      const from = Math.max(a.from, b.from);
      const to = Math.min(a.to, b.to);
      return from < to ? [{ from, to }] : [];
    }),
  );

/**
 * Returns the intervals of `date` inside every window in force, in all places where the debtor may be; ignores
 * holidays.
 */
const windowsOf = (frame: Frame, date: LocalDate): readonly Interval[] => {
  const known = knownOf(frame).windows;
  const found = known.get(date);
  if (found !== undefined) return found;
  const windows = computeWindows(frame, date);
  known.set(date, windows);
  return windows;
};

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

const isRuledHoliday = (frame: Frame, date: LocalDate): boolean => {
  const known = knownOf(frame).holidays;
  const found = known.get(date);
  if (found !== undefined) return found;
  const isOne = computeHoliday(frame, date);
  known.set(date, isOne);
  return isOne;
};

const computeHoliday = ({ rules, holidays, place }: Frame, date: LocalDate): boolean =>
  ofKind(rules, 'holidays', date).some((scope) => isHoliday(holidays, date, place.states, scope));

/** Returns the rules whose own window is closed at the moment `at` in one of the places where the debtor may be. */
export const windowRulesThatClose = (frame: Frame, at: number): readonly PolicyRule[] => {
  const date = localDate(at, frame.place.utcOffsets[0]!);
  return ofKind(frame.rules, 'window', date).filter(
    (rule) => !computeWindows({ ...frame, rules: [rule] }, date).some(({ from, to }) => from <= at && at < to),
  );
};

export const holidayRulesThatClose = (frame: Frame, at: number): readonly PolicyRule[] =>
  frame.rules.filter((rule) =>
    frame.place.utcOffsets.some((offset) => computeHoliday({ ...frame, rules: [rule] }, localDate(at, offset))),
  );

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
  const inside = windowsOf(frame, dates[0]!).some(({ from, to }) => from <= at && at < to);
  const holiday = dates.some((date) => isRuledHoliday(frame, date));
  return [...(inside ? [] : (['window'] as const)), ...(holiday ? (['holidays'] as const) : [])];
};
