import { addDays, daysBetween, type LocalDate, lastDayOfMonth, partsOf } from '../../../kernel/calendar.ts';
import { remember } from '../../../kernel/remember.ts';

/** A month such as `2026-09`, which can be compared as text. */
export type Month = string;

/** The numbers of the series at the Central Bank: the Taxa Legal, and the monthly variation of the IPCA. */
export const SERIES = { legalRate: '29543', ipca: '433' } as const;
export type Series = keyof typeof SERIES;

/** The published values of each month, in millionths of a percent. */
export type IndexSeries = Readonly<Record<Series, ReadonlyMap<Month, number>>>;

/** Values as they are stored, by names such as `29543:2026-09`. */
export type StoredIndices = Readonly<Record<string, number>>;

/** An export asks for the same values for each of its debts. */
const seriesKnown = new WeakMap<StoredIndices, IndexSeries>();

const NO_VALUES: StoredIndices = {};

/** Returns the series with the stored values; null stands for none. */
export function indexSeriesOf(stored: StoredIndices | null): IndexSeries {
  const values = stored ?? NO_VALUES;
  const series = seriesKnown.get(values) ?? readSeries(values);
  seriesKnown.set(values, series);
  return series;
}

function readSeries(stored: StoredIndices): IndexSeries {
  const legalRate = new Map<Month, number>();
  const ipca = new Map<Month, number>();
  for (const name of Object.keys(stored)) {
    const end = name.indexOf(':');
    // Comparing the beginning is cheaper than cutting it off, and each context of a debt brings some seventy values.
    const series = name.startsWith(SERIES.legalRate) && end === SERIES.legalRate.length ? legalRate : ipca;
    series.set(name.slice(end + 1), stored[name]!);
  }
  return { legalRate, ipca };
}

/** Reads a published percentage, such as `0.155714`; null for one with more than six decimals. */
export function parseIndexValue(series: Series, text: string): number | null {
  const [, sign, whole, decimals = ''] = /^(-?)(\d{1,4})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const value = Number(whole + decimals.padEnd(6, '0'));
  if (sign === '-' && value !== 0) {
    // The Taxa Legal is never below 0, and the IPCA never falls by 100 %.
    return series === 'legalRate' || value >= 100_000_000 ? null : -value;
  }
  return value;
}

export const missingName = (series: Series, month: Month): string => `${SERIES[series]}:${month}`;

export const monthOf = (date: LocalDate): Month => date.slice(0, 7);

/** A quote of three years goes over the same months as the one before it. */
const nextMonth = remember((month: Month): Month => {
  const [year, number] = [month.slice(0, -3), Number(month.slice(-2))];
  if (number === 12) return `${String(Number(year) + 1).padStart(4, '0')}-01`;
  return `${year}-${String(number + 1).padStart(2, '0')}`;
});

/** Returns the months from `first` up to and without `end`. */
const monthsFrom = (first: Month, end: Month): Month[] => {
  const months: Month[] = [];
  for (let month = first; month < end; month = nextMonth(month)) months.push(month);
  return months;
};

/** A whole, 100 %, in millionths of a percent. */
const WHOLE = 100_000_000n;

/** The least common multiple of 28, 29, 30 and 31, so that months of all lengths are added without a division. */
const DAYS_SCALE = 377_580n;

/** What a sum of Taxa Legal is divided by to become a factor. */
export const LEGAL_RATE_DIVISOR = WHOLE * DAYS_SCALE;

/** The Taxa Legal applies since Lei 14.905/2024 is in force, and its series begins with that month. */
export const LEGAL_RATE_BEGINS: LocalDate = '2024-08-30';

export interface LegalRate {
  /** The sum over the days, to be divided by `LEGAL_RATE_DIVISOR`. A missing month adds nothing. */
  readonly sum: bigint;
  readonly missing: readonly Month[];
}

/** Adds the Taxa Legal of each month in proportion to its days. The first day counts, `until` does not. */
export function legalRate({ legalRate: values }: IndexSeries, from: LocalDate, until: LocalDate): LegalRate {
  const first = from < LEGAL_RATE_BEGINS ? LEGAL_RATE_BEGINS : from;
  if (first >= until) return { sum: 0n, missing: [] };
  const missing: Month[] = [];
  // A whole month adds its value, and only the first and the last one are divided.
  let wholeMonths = 0;
  let parts = 0n;
  for (const month of monthsFrom(monthOf(first), nextMonth(monthOf(addDays(until, -1))))) {
    const value = values.get(month);
    if (value === undefined) {
      missing.push(month);
      continue;
    }
    const begins = `${month}-01`;
    const ends = `${nextMonth(month)}-01`;
    if (first <= begins && ends <= until) {
      wholeMonths += value;
      continue;
    }
    const days = daysBetween(first > begins ? first : begins, until < ends ? until : ends);
    const { year, month: number } = partsOf(begins);
    parts += (BigInt(value) * BigInt(days) * DAYS_SCALE) / BigInt(lastDayOfMonth(year, number));
  }
  return { sum: BigInt(wholeMonths) * DAYS_SCALE + parts, missing };
}

/** The product of monthly indices, as a fraction. */
export interface IndexFactor {
  readonly numerator: bigint;
  readonly divisor: bigint;
}

/** Multiplies the published indices of the months from `first` up to and without `end`. */
export function ipcaFactor({ ipca }: IndexSeries, first: Month, end: Month): IndexFactor {
  let numerator = 1n;
  let known = 0;
  for (let month = first; month < end; month = nextMonth(month)) {
    const value = ipca.get(month);
    if (value === undefined) continue;
    numerator *= WHOLE + BigInt(value);
    known += 1;
  }
  return { numerator, divisor: WHOLE ** BigInt(known) };
}

/**
 * Returns the months without an index. One that lies before a published month is a gap and blocks the correction; those
 * at the end are not published yet and are left out of it.
 */
export function missingIpca({ ipca }: IndexSeries, first: Month, end: Month) {
  const missing = monthsFrom(first, end).filter((month) => !ipca.has(month));
  const hasGap = missing.some((month) => [...ipca.keys()].some((published) => published > month));
  return { missing, hasGap };
}
