import { HOUR, type LocalDate, localDate, parseLocalDate, parseMoment, startOfDay } from '../../../kernel/calendar.ts';

/** When and how a debtor agreed to the use of their data, as the client says. */
export interface Consent {
  /** `YYYY-MM-DD`, or a moment in UTC where the client knows the time of day. */
  readonly at: string;
  readonly source: string | null;
}

/** An earlier date is a typing error, or the beginning of a spreadsheet's calendar. */
const EARLIEST: LocalDate = '1990-01-01';

/** The clock of the system that recorded a consent may be ahead of this one. */
const CLOCK_DIFFERENCE = HOUR / 12;

/**
 * Returns a calendar date as it is, and an ISO 8601 moment with an offset in UTC; null for anything else and for the
 * future. A date may be the one in UTC, which is never behind the date in Brazil.
 */
export function parseConsentAt(value: unknown, now: number): string | null {
  const day = parseLocalDate(value);
  if (day !== null) return day < EARLIEST || day > localDate(now, 0) ? null : day;
  const at = parseMoment(value);
  if (at === null || at > now + CLOCK_DIFFERENCE || at < startOfDay(EARLIEST, 0)) return null;
  return new Date(at).toISOString();
}

/** Returns the date of a consent at a place. A calendar date has no time zone that could change it. */
export const dateOfConsent = ({ at }: Consent, utcOffset: number): LocalDate =>
  parseLocalDate(at) ?? localDate(Date.parse(at), utcOffset);
