import { DAY, HOUR, localDate, startOfDay } from '../../../kernel/calendar.ts';
import type { CapPeriod, CapRule } from './policy-pack.ts';

// The numbers of the caps are data: `policies/br.json`, the rules whose kind is `cap`.

/** The moments of contacts booked or reserved for the person (CPF) and for the phone, ascending. */
export interface CountedMoments {
  readonly person: readonly number[];
  readonly phone: readonly number[];
}

/** Returns the index of the first moment that is not before `at`. */
export const firstAtOrAfter = (moments: readonly number[], at: number): number => {
  let low = 0;
  for (let high = moments.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (moments[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Each sandbox debt has a clock of its own, so bookings may be earlier or later than `at`; both count. */
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
      return firstAtOrAfter(moments, start + DAY) - firstAtOrAfter(moments, start) < count;
    });
  }
  const span = period.hours * HOUR;
  const index = firstAtOrAfter(moments, at);
  // Examines each run of `count` consecutive moments next to `at`: no run may fit into the span together with `at`,
  // both ends of the span included.
  for (let first = Math.max(index - count, 0); first <= index && first + count <= moments.length; first += 1) {
    if (Math.max(moments[first + count - 1]!, at) - Math.min(moments[first]!, at) <= span) return false;
  }
  return true;
};

export const capsAllow = (
  rules: readonly CapRule[],
  ledger: CountedMoments,
  offsets: readonly number[],
  at: number,
): boolean =>
  rules.every((rule) =>
    rule.countedPer.every((subject) => capAllows(rule.count, rule.period, ledger[subject], offsets, at)),
  );

/**
 * Returns, ascending, when a rolling cap may allow a contact again: one millisecond after a booking leaves its span.
 */
export const capReleases = (rules: readonly CapRule[], ledger: CountedMoments): readonly number[] => {
  const releases = rules.flatMap(({ period, countedPer }) =>
    period === 'calendar_day'
      ? []
      : countedPer.flatMap((subject) => ledger[subject].map((at) => at + period.hours * HOUR + 1)),
  );
  return [...new Set(releases)].sort((a, b) => a - b);
};
