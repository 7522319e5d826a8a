import {
  addYears,
  DAY,
  type LocalDate,
  localDate,
  parseLocalDate,
  parseMoment,
  startOfDay,
} from '../../../kernel/calendar.ts';

/** America/Sao_Paulo, where the days of the figures begin. */
const OFFSET = -3;

/** An older payment is a typing error: a debt of that age is not collected any more. */
export const MAX_PAYMENT_AGE_YEARS = 5;

/** A day without an hour stands for its noon, or for now while that is still to come. */
const momentOfDay = (day: LocalDate, now: number): number =>
  day === localDate(now, OFFSET) ? Math.min(startOfDay(day, OFFSET) + DAY / 2, now) : startOfDay(day, OFFSET) + DAY / 2;

/**
 * Returns when a payment was made, from a date (`2026-11-20`) or a moment with an offset (`2026-11-20T14:30:00-03:00`);
 * null for anything else, for the future, and for what is too long ago.
 */
export function parsePaymentMoment(text: string, now: number): number | null {
  const day = parseLocalDate(text);
  const at = day !== null ? momentOfDay(day, now) : parseMoment(text);
  if (at === null || at > now) return null;
  return localDate(at, OFFSET) < addYears(localDate(now, OFFSET), -MAX_PAYMENT_AGE_YEARS) ? null : at;
}
