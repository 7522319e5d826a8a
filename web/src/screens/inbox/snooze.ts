import { COMPANY_ZONE } from '../../format.ts';

const DAY_MS = 86_400_000;
const HOUR = 9;

const parts = new Intl.DateTimeFormat('sv-SE', { timeZone: COMPANY_ZONE, dateStyle: 'short' });
const offset = new Intl.DateTimeFormat('en-US', { timeZone: COMPANY_ZONE, timeZoneName: 'longOffset' });

/** `2026-11-23`: the day at the company's place. */
export const dayAt = (at: number): string => parts.format(new Date(at));

const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** Nine o'clock of a day at the company's place, as the API takes it. */
export function nineOf(day: string): string {
  const noon = new Date(`${day}T12:00:00Z`);
  const zone = offset.formatToParts(noon).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT-03:00';
  return `${day}T0${HOUR}:00:00${zone.slice(3) || 'Z'}`;
}

/** The day that comes so many days after today. */
export const inDays = (now: number, days: number): string => plusDays(dayAt(now), days);

export const tomorrow = (now: number): string => inDays(now, 1);

/** The Monday after today. */
export function nextMonday(now: number): string {
  const today = dayAt(now);
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  return plusDays(today, (8 - weekday) % 7 || 7);
}
