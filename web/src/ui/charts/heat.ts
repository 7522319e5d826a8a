import { formatCount, formatDay, formatPlainDate } from '../../format.ts';
import { CHARTS } from '../../texts/charts.ts';
import { noonOf } from './days.ts';

export interface HeatCell {
  readonly date: string;
  /** 9 is from 09:00 until 10:00. */
  readonly hour: number;
  readonly count: number;
}

export interface HeatRow {
  readonly date: string;
  readonly day: string;
  readonly counts: readonly { readonly hour: number; readonly count: number; readonly level: Level }[];
  readonly total: number;
}

export interface HeatGrid {
  readonly hours: readonly number[];
  readonly rows: readonly HeatRow[];
  /** One for each hour. */
  readonly totals: readonly number[];
  readonly total: number;
}

/** 0 without contacts; 1 to 4 by the share of the fullest hour. */
export type Level = 0 | 1 | 2 | 3 | 4;

export const levelOf = (count: number, most: number): Level =>
  count <= 0 ? 0 : (Math.min(4, Math.ceil((count / most) * 4)) as Level);

const sum = (counts: readonly number[]): number => counts.reduce((a, b) => a + b, 0);

/** Each day with a contact, and every hour between the first and the last one. Weeks of waiting need no rows. */
export function heatGrid(cells: readonly HeatCell[]): HeatGrid {
  const filled = cells.filter(({ count }) => count > 0);
  if (filled.length === 0) return { hours: [], rows: [], totals: [], total: 0 };
  const byPlace = new Map<string, number>();
  const place = (date: string, hour: number): string => `${date} ${hour}`;
  for (const { date, hour, count } of filled) {
    byPlace.set(place(date, hour), (byPlace.get(place(date, hour)) ?? 0) + count);
  }
  const most = Math.max(...byPlace.values());
  const first = Math.min(...filled.map(({ hour }) => hour));
  const last = Math.max(...filled.map(({ hour }) => hour));
  const hours = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const dates = [...new Set(filled.map(({ date }) => date))].sort();
  const rows = dates.map((date): HeatRow => {
    const counts = hours.map((hour) => {
      const count = byPlace.get(place(date, hour)) ?? 0;
      return { hour, count, level: levelOf(count, most) };
    });
    return { date, day: formatDay(noonOf(date)), counts, total: sum(counts.map(({ count }) => count)) };
  });
  const totals = hours.map((_, index) => sum(rows.map(({ counts }) => counts[index]!.count)));
  return { hours, rows, totals, total: sum(totals) };
}

export function heatSentence({ hours, rows, total }: HeatGrid): string {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return CHARTS.empty;
  const contacts = `${formatCount(total)} ${total === 1 ? 'contato' : 'contatos'}`;
  const times = `entre ${CHARTS.heat.hour(hours[0]!)} e ${CHARTS.heat.hour(hours.at(-1)! + 1)}`;
  if (rows.length === 1) return `${contacts} em ${formatPlainDate(first.date)}, ${times}.`;
  const fullest = rows.reduce((a, b) => (b.total > a.total ? b : a));
  const period = `de ${formatPlainDate(first.date)} a ${formatPlainDate(last.date)}`;
  return `${contacts} ${period}, ${times}. O dia com mais contatos é ${fullest.day}, com ${formatCount(fullest.total)}.`;
}
