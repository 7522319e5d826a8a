const DAY = 24 * 3_600_000;

/** A Wednesday inside every window, at least a day from now. */
export function nextWednesday(): number {
  const day = new Date(Date.now() + 2 * DAY);
  while (day.getUTCDay() !== 3) day.setTime(day.getTime() + DAY);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), 14);
}
