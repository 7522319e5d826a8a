import { DAY, HOUR, localDate, startOfDay } from './calendar.ts';
import type { CapPeriod, CapRule } from './policy-pack.ts';

/** Moments already booked or held, ascending, of the person (CPF) and of the phone. */
export interface Ledger {
  readonly person: readonly number[];
  readonly phone: readonly number[];
}

/** Index of the first moment that is not before `at`. */
const lowerBound = (moments: readonly number[], at: number): number => {
  let low = 0;
  for (let high = moments.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (moments[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Sandbox clocks run apart, so bookings lie on both sides of `at` and both sides count. */
const capAllows = (
  count: number,
  period: CapPeriod,
  moments: readonly number[],
  offsets: readonly number[],
  at: number,
): boolean => {
  if (period === 'calendar_day') {
    return offsets.every((offset) => {
      const start = startOfDay(localDate(at, offset), offset);
      return lowerBound(moments, start + DAY) - lowerBound(moments, start) < count;
    });
  }
  const span = period.hours * HOUR;
  const place = lowerBound(moments, at);
  // Every run of `count` neighbours that `at` would join: none may fit with it into the span, ends included.
  for (let first = Math.max(place - count, 0); first <= place && first + count <= moments.length; first += 1) {
    if (Math.max(moments[first + count - 1]!, at) - Math.min(moments[first]!, at) <= span) return false;
  }
  return true;
};

export const capsAllow = (rules: readonly CapRule[], ledger: Ledger, offsets: readonly number[], at: number): boolean =>
  rules.every((rule) =>
    rule.countedPer.every((subject) => capAllows(rule.count, rule.period, ledger[subject], offsets, at)),
  );

/** Ascending moments at which a rolling cap may begin to allow: one millisecond after a booking has left its span. */
export const capReleases = (rules: readonly CapRule[], ledger: Ledger): readonly number[] => {
  const releases = rules.flatMap(({ period, countedPer }) =>
    period === 'calendar_day'
      ? []
      : countedPer.flatMap((subject) => ledger[subject].map((at) => at + period.hours * HOUR + 1)),
  );
  return [...new Set(releases)].sort((a, b) => a - b);
};

export const firstAtOrAfter = (moments: readonly number[], at: number): number => lowerBound(moments, at);
