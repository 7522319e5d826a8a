import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DISABLED_AFTER_MS, hasFailedTooLong, pauseMs, RETRY_WAITS_MS, retryWaitMs } from './webhook-retries.ts';

const inSeconds = (ms: number | null) => (ms === null ? null : ms / 1_000);

describe('the retries of a delivery', () => {
  it('follow the Standard Webhooks specification, ten attempts in all', () => {
    const waits = Array.from({ length: 10 }, (_, index) => inSeconds(retryWaitMs(index + 1, 0)));
    expect(waits).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
  });

  it('come later by at most a tenth, and never earlier', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, random) => {
        const wait = RETRY_WAITS_MS[attempts - 1]!;
        expect(retryWaitMs(attempts, random)).toBeGreaterThanOrEqual(wait);
        expect(retryWaitMs(attempts, random)).toBeLessThanOrEqual(wait * 1.1 + 1);
      }),
    );
  });

  it('end before the receiver counts as dead, so that one lost event disables nothing', () => {
    const all = RETRY_WAITS_MS.reduce((sum, wait) => sum + wait * 1.1, 0);
    expect(all).toBeLessThan(DISABLED_AFTER_MS);
  });
});

describe('a pause that a receiver asks for', () => {
  it.each([
    [null, null],
    [0, 0],
    [-5, 0],
    [30, 30_000],
    [86_400, 3_600_000],
  ])('of %p seconds lasts %p ms', (seconds, ms) => expect(pauseMs(seconds)).toBe(ms));
});

describe('a receiver that takes nothing', () => {
  const since = new Date('2026-11-22T12:00:00Z');
  it.each([
    ['2026-11-27T11:59:59Z', false],
    ['2026-11-27T12:00:00Z', true],
  ])('at %s counts as dead: %p', (now, dead) => expect(hasFailedTooLong(since, new Date(now))).toBe(dead));
});
