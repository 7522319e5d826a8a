import { DAY } from '../../../kernel/calendar.ts';

/**
 * Returns the moments at which a person may have been contacted in a time of which nothing is known: at most once a day,
 * and as late on each day as possible, because the caps then allow the next contact latest. Only the last `days` days
 * count. The hours in which contacts are allowed, at every place in Brazil, are on one date of UTC.
 */
export function unrecordedContacts(from: number, to: number, days: number): number[] {
  if (from >= to) return [];
  const first = Math.max(Math.floor(from / DAY), Math.floor(to / DAY) - days);
  const moments: number[] = [];
  for (let day = first; day * DAY <= to; day += 1) moments.push(Math.min(to, (day + 1) * DAY - 1));
  return moments;
}
