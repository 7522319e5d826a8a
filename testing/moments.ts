export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/**
 * The next second Wednesday of August, at the given hour of São Paulo. No holiday of the policy falls into these days,
 * and the day is less than a year away.
 */
export function nextWednesday(hour: number): number {
  const of = (year: number): number => {
    const first = new Date(Date.UTC(year, 7, 1, hour + 3));
    return first.getTime() + (((3 - first.getUTCDay() + 7) % 7) + 7) * DAY;
  };
  const year = new Date().getUTCFullYear();
  return of(year) > Date.now() + DAY ? of(year) : of(year + 1);
}

/** The offset by which the clock shows `moment` now, as `CLOCK_OFFSET` takes it. */
export const offsetTo = (moment: number): number => moment - Date.now();
