import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_WAVE_MS, pacedMoments, SPREAD_MS, spreadDelay } from './contact-pace.ts';

const FROM = Date.UTC(2026, 10, 19, 12);

describe('the pace of first contacts', () => {
  const planned = (position: number, count: number) =>
    pacedMoments(FROM, { first: FROM + position * 50, count, contactsPerSecond: 20 }).map((at) => at - FROM);

  it('is 50 ms at twenty a second, after the contacts that are planned already', () => {
    expect(planned(0, 4)).toEqual([0, 50, 100, 150]);
    expect(planned(200, 2)).toEqual([10_000, 10_050]);
  });

  it('begins at the opening again when the longest time is used up', () => {
    expect(planned(287_999, 3)).toEqual([MAX_WAVE_MS - 50, 0, 50]);
  });

  it('never exceeds the longest time, and puts no more than the rate into any second of a round', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), fc.nat(2 * MAX_WAVE_MS), (contactsPerSecond, ahead) => {
        const count = 3 * contactsPerSecond;
        const moments = pacedMoments(FROM, { first: FROM + ahead, count, contactsPerSecond });
        expect(Math.min(...moments)).toBeGreaterThanOrEqual(FROM);
        expect(Math.max(...moments)).toBeLessThan(FROM + MAX_WAVE_MS);
        for (const at of moments) {
          const within = moments.filter((other) => other >= at && other < at + 1_000 - 1).length;
          expect(within).toBeLessThanOrEqual(contactsPerSecond);
        }
      }),
    );
  });
});

describe('the spread of later contacts', () => {
  it('is always the same for one debt, inside the spread, and even over many debts', () => {
    const delays = Array.from({ length: 12_000 }, () => spreadDelay(randomUUID()));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...delays)).toBeLessThan(SPREAD_MS);
    const minutes = Map.groupBy(delays, (delay) => Math.floor(delay / 60_000));
    expect(minutes.size).toBe(120);
    // A hundred are expected in each minute; twice as many would be ten standard deviations away.
    expect(Math.max(...[...minutes.values()].map(({ length }) => length))).toBeLessThan(200);
    expect(['00000000-0', '80000000-0', 'ffffffff-f'].map(spreadDelay)).toEqual([0, 3_600_000, 7_199_999]);
  });
});
