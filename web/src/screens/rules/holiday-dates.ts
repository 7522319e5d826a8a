/** Easter Sunday of a year by the Gregorian calendar (Meeus, Jones and Butcher), as days since the epoch. */
function easter(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = b >> 2;
  const e = b % 4;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - d - g + 15) % 30;
  const i = c >> 2;
  const k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const month = Math.floor((h + l - 7 * m + 114) / 31);
  const day = ((h + l - 7 * m + 114) % 31) + 1;
  return Date.UTC(year, month - 1, day) / 86_400_000;
}

export type HolidayDay = string | { readonly easter: number };

/** The date of a holiday in a year, `2026-04-03`; its rule is a month and day, or a number of days from Easter. */
export function holidayDate(on: HolidayDay, year: number): string {
  if (typeof on === 'string') return `${year}-${on}`;
  return new Date((easter(year) + on.easter) * 86_400_000).toISOString().slice(0, 10);
}
