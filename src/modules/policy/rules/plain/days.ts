import type { HolidayRegion, HolidayRules } from '../../../../kernel/holidays.ts';
import type { State } from '../../../../kernel/phone.ts';

/** A day is its number since 1 January 1970, as a clock on the wall counts it. */
export const MS_OF_DAY = 86_400_000;

/** The same few thousand days are asked about millions of times. */
const MAX_KEPT = 20_000;
export function kept<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const found = made.get(key);
    if (found !== undefined) return found;
    if (made.size >= MAX_KEPT) made.clear();
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

export const dayOf = kept((date: string): number => Date.parse(`${date}T00:00:00Z`) / MS_OF_DAY);
export const dateOfDay = kept((day: number): string => new Date(day * MS_OF_DAY).toISOString().slice(0, 10));

const yearOf = kept((day: number): number => Number(dateOfDay(day).slice(0, 4)));

/** 1 January 1970 was a Thursday. */
export const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7;

const partsOf = kept((date: string) => date.split('-').map(Number) as [number, number, number]);

/** The same day and month so many years later; 29 February becomes 1 March where the year has none. */
export function yearsLater(date: string, years: number): number {
  const [year, month, day] = partsOf(date);
  return Date.UTC(year + years, month - 1, day) / MS_OF_DAY;
}

/** Easter by Gauss, with the two exceptions of the Gregorian calendar. */
function easter(year: number): number {
  const k = Math.floor(year / 100);
  const m = (15 + k - Math.floor((13 + 8 * k) / 25) - Math.floor(k / 4) + 300) % 30;
  const n = (4 + k - Math.floor(k / 4)) % 7;
  const d = (19 * (year % 19) + m) % 30;
  const e = (2 * (year % 4) + 4 * (year % 7) + 6 * d + n) % 7;
  let march = 22 + d + e;
  if (march === 57) march = 50;
  else if (march === 56 && d === 28 && year % 19 > 10) march = 49;
  return Date.UTC(year, 2, march) / MS_OF_DAY;
}

const NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** The days that the statutes of a place name in a year, before any is moved. */
const named = ({ holidays }: HolidayRegion, year: number) =>
  holidays
    .filter(({ from, to }) => (from === undefined || year >= from) && (to === undefined || year <= to))
    .map((law) => ({
      law,
      day: typeof law.on === 'string' ? dayOf(`${year}-${law.on}`) : easter(year) + law.on.easter,
    }));

function closedDays(rules: HolidayRules, region: HolidayRegion, year: number): number[] {
  const { transfer } = region;
  return named(region, year).flatMap(({ law, day }) => {
    const holds =
      transfer !== undefined &&
      law.transferred === true &&
      (transfer.from === undefined || year >= transfer.from) &&
      (transfer.to === undefined || year <= transfer.to);
    const move = holds ? transfer.days[NAMES[weekdayOf(day)]!] : undefined;
    if (transfer === undefined || move === undefined) return [day];
    let target = day + move;
    const isTaken = () => {
      const of = Number(dateOfDay(target).slice(0, 4));
      return [...named(rules.nation, of), ...named(region, of)].some((other) => other.day === target);
    };
    while (transfer.stepWhenTaken !== undefined && isTaken()) target += transfer.stepWhenTaken;
    return transfer.keepsOriginal ? [day, target] : [target];
  });
}

export interface PlainHolidays {
  national(day: number): boolean;
  ofState(day: number, state: State): boolean;
}

/** Which days are holidays of the nation, and of each state. A day that is moved may cross the end of a year. */
export function plainHolidays(rules: HolidayRules): PlainHolidays {
  const daysOf = (region: HolidayRegion) =>
    kept((year: number) => new Set([year - 1, year, year + 1].flatMap((one) => closedDays(rules, region, one))));
  const nation = daysOf(rules.nation);
  const states = new Map(Object.entries(rules.states).map(([state, region]) => [state, daysOf(region)]));
  return {
    national: (day) => nation(yearOf(day)).has(day),
    ofState: (day, state) => states.get(state)!(yearOf(day)).has(day),
  };
}
