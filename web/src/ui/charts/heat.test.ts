import { describe, expect, it } from '@jest/globals';
import { type HeatCell, heatGrid, heatSentence, levelOf } from './heat.ts';

const cell = (date: string, hour: number, count: number): HeatCell => ({ date, hour, count });
const cells = [cell('2026-11-30', 9, 4), cell('2026-11-28', 11, 1), cell('2026-11-30', 9, 4), cell('2026-12-09', 8, 0)];

describe('contacts by day and hour', () => {
  it('have a row for each day with a contact and a column for each hour between the first and the last one', () => {
    const { hours, rows, totals, total } = heatGrid(cells);
    expect(hours).toEqual([9, 10, 11]);
    expect(rows.map(({ day, counts, total: sum }) => [day, counts.map(({ count }) => count), sum])).toEqual([
      ['sáb., 28/11', [0, 0, 1], 1],
      ['seg., 30/11', [8, 0, 0], 8],
    ]);
    expect(totals).toEqual([8, 0, 1]);
    expect(total).toBe(9);
  });

  it('are said in a sentence', () => {
    expect(heatSentence(heatGrid(cells))).toBe(
      '9 contatos de 28/11/2026 a 30/11/2026, entre 9 h e 12 h. O dia com mais contatos é seg., 30/11, com 8.',
    );
    expect(heatSentence(heatGrid([cell('2026-11-30', 9, 1)]))).toBe('1 contato em 30/11/2026, entre 9 h e 10 h.');
    expect(heatSentence(heatGrid([cell('2026-11-30', 9, 0)]))).toBe('Ainda não há dados');
  });

  it('are shaded by the share of the fullest hour, and never left blank', () => {
    expect([0, 1, 25, 26, 75, 76, 100].map((count) => levelOf(count, 100))).toEqual([0, 1, 1, 2, 3, 4, 4]);
    expect(levelOf(1, 10 ** 9)).toBe(1);
  });
});
