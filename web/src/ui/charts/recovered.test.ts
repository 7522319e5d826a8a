import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CumulatedDay, cumulate, drawRecovered, HEIGHT, recoveredSentence } from './recovered.ts';

const on = (date: string, recovered: number) => ({ date, recovered });
const dayAt = (index: number): string =>
  new Date(Date.UTC(2026, 9, 24) + index * 86_400_000).toISOString().slice(0, 10);
const daysWith = (amounts: readonly number[]): readonly CumulatedDay[] =>
  cumulate(amounts.map((recovered, index) => on(dayAt(index), recovered)));

/** Amounts of every size, refunds among them, as centavos in reais. */
const amounts = fc.array(
  fc.oneof(fc.integer({ min: -500_000, max: 500_000 }), fc.constant(0), fc.integer({ min: 0, max: 10 ** 14 })),
  { minLength: 1, maxLength: 90 },
);

describe('the sum of what was recovered', () => {
  it('orders the days, fills those between, and adds what falls on one day', () => {
    expect(cumulate([on('2026-11-03', 10), on('2026-11-01', 5), on('2026-11-03', 1.5)])).toEqual([
      { date: '2026-11-01', recovered: 5, total: 5 },
      { date: '2026-11-02', recovered: 0, total: 5 },
      { date: '2026-11-03', recovered: 11.5, total: 16.5 },
    ]);
    expect(cumulate([])).toEqual([]);
  });

  it('crosses months and the leap day', () => {
    expect(cumulate([on('2028-02-28', 1), on('2028-03-01', 1)]).map(({ date }) => date)).toEqual([
      '2028-02-28',
      '2028-02-29',
      '2028-03-01',
    ]);
  });

  it('invents no days after a date that is far away', () => {
    expect(cumulate([on('2026-11-01', 1), on('9026-11-01', 1)])).toHaveLength(2);
  });

  it('loses no centavo', () => {
    expect(daysWith([0.07, 0.57, 1.1]).map(({ total }) => total)).toEqual([0.07, 0.64, 1.74]);
  });
});

describe('the sentence of what was recovered', () => {
  it('names the period, the sum and the best day', () => {
    expect(recoveredSentence(daysWith([100, 2500.5, 0]))).toBe(
      'De 24/10/2026 a 26/10/2026, o valor recuperado foi de R$ 2.600,50. O melhor dia foi 25/10, com R$ 2.500,50.',
    );
  });

  it('is true for one day, for nothing and for more refunds than payments', () => {
    expect(recoveredSentence(daysWith([10]))).toBe('Em 24/10/2026, o valor recuperado foi de R$ 10,00.');
    expect(recoveredSentence(daysWith([0, 0]))).toBe('De 24/10/2026 a 25/10/2026, nada foi recuperado.');
    expect(recoveredSentence(daysWith([5, -7]))).toContain('as devoluções superaram os pagamentos em R$ 2,00');
    expect(recoveredSentence([])).toBe('Ainda não há dados');
  });
});

describe('the drawing of what was recovered', () => {
  it('keeps bars, line and dates inside, and gives each tick a label of its own', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 220, max: 1600 }), (centavos, width) => {
        const { bars, end, dates, left, right, totals, daily } = drawRecovered(
          daysWith(centavos.map((one) => one / 100)),
          width,
        );
        for (const { x, y, width: wide, height } of bars) {
          expect(x).toBeGreaterThanOrEqual(left - 0.01);
          expect(x + wide).toBeLessThanOrEqual(right + 0.01);
          expect(y).toBeGreaterThan(HEIGHT / 2);
          expect(y + height).toBeLessThanOrEqual(HEIGHT);
        }
        expect(end.y).toBeGreaterThan(0);
        expect(end.y).toBeLessThan(HEIGHT / 2);
        expect(totals.line).not.toContain('NaN');
        for (const { ticks } of [totals, daily]) {
          expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
        }
        const gaps = dates.slice(1).map(({ x }, index) => x - dates[index]!.x);
        expect(gaps.filter((gap) => gap < 40)).toEqual([]);
      }),
    );
  });

  it('puts money above the axis, refunds beneath it, and shows even one centavo', () => {
    const { bars, daily } = drawRecovered(daysWith([1000, -1000, 0.01, 0]), 600);
    expect(bars[0]!.y + bars[0]!.height).toBeCloseTo(daily.zero);
    expect(bars[1]!.y).toBeCloseTo(daily.zero);
    expect(bars[1]!.height).toBeGreaterThan(10);
    expect(bars[2]!.height).toBeGreaterThan(1);
    expect(bars[3]!.height).toBe(0);
  });

  it('closes the area beneath the line at the axis of the sum', () => {
    const { totals } = drawRecovered(daysWith([100, 200]), 600);
    const [start, end] = totals.line.slice(1).split('L');
    const [startX, endX] = [start!.split(',')[0], end!.split(',')[0]];
    expect(totals.area).toBe(`M${start}L${end}L${endX},${totals.zero}L${startX},${totals.zero}Z`);
  });

  it('labels the first and the last of 90 days on the smallest phone, and one day alone', () => {
    const ninety = drawRecovered(daysWith(Array.from({ length: 90 }, () => 1)), 239);
    expect(ninety.dates.map(({ label }) => label)).toEqual(['24/10', '21/01']);
    expect(drawRecovered(daysWith([1]), 239).dates.map(({ label }) => label)).toEqual(['24/10']);
  });

  it('has one tick when nothing was recovered', () => {
    expect(drawRecovered(daysWith([0, 0]), 600).totals.ticks.map(({ label }) => label)).toEqual(['R$ 0']);
  });
});
