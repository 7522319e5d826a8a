import { HOUR, localDate } from '../calendar.ts';

/** Writes dates and times as Brazilians read them. `domain/money` and `domain/cnpj` write money and company numbers. */

/** Writes `2026-11-20` as `20/11/2026`. A calendar date has no time zone that could change it. */
export function formatCalendarDate(isoDate: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(isoDate);
  if (!match) throw new RangeError('a calendar date must be YYYY-MM-DD');
  return `${match[3]}/${match[2]}/${match[1]}`;
}

export interface LocalMoment {
  /** `20/11/2026` */
  readonly date: string;
  /** `14:31:05` */
  readonly time: string;
  /** `UTC-03:00` */
  readonly offset: string;
}

/** Returns an instant in the local time of a place that is `utcOffset` hours ahead of UTC. */
export function localMoment(instant: Date, utcOffset: number): LocalMoment {
  const at = instant.getTime();
  return {
    date: formatCalendarDate(localDate(at, utcOffset)),
    time: new Date(at + utcOffset * HOUR).toISOString().slice(11, 19),
    offset: `UTC${utcOffset < 0 ? '-' : '+'}${String(Math.abs(utcOffset)).padStart(2, '0')}:00`,
  };
}
