import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { accountPauseMs, questionsEnd, questionWaitMs } from './reconciliation.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const wait = (ageMs: number, failures = 0): number =>
  questionWaitMs({ createdAt: new Date(0), expiresAt: new Date(3 * DAY), failures }, ageMs);

describe('the wait before the next question about a charge', () => {
  it.each([
    [0, 2 * MINUTE],
    [8 * MINUTE, 2 * MINUTE],
    [40 * MINUTE, 10 * MINUTE],
    [2 * HOUR, 15 * MINUTE],
    [DAY - 1, 15 * MINUTE],
    [DAY, HOUR],
    [3 * DAY, 3 * HOUR],
  ])('is at an age of %d ms %d ms', (ageMs, expected) => {
    expect(wait(ageMs)).toBe(expected);
  });

  it.each([
    [1, 4 * MINUTE],
    [2, 8 * MINUTE],
    [5, 64 * MINUTE],
    [7, 256 * MINUTE],
    [8, 6 * HOUR],
    [5_000, 6 * HOUR],
  ])('is after %d failures %d ms', (failures, expected) => {
    expect(wait(0, failures)).toBe(expected);
  });

  const ages = fc.integer({ min: 0, max: 5 * DAY });
  const failures = fc.nat(100);

  it('never shrinks with age or failures, and is at most 15 minutes on the first day without a failure', () => {
    fc.assert(
      fc.property(ages, ages, failures, failures, (a, b, m, n) => {
        const [young, old] = [Math.min(a, b), Math.max(a, b)];
        const [few, many] = [Math.min(m, n), Math.max(m, n)];
        expect(wait(young, few)).toBeLessThanOrEqual(wait(old, many));
        expect(wait(young, few)).toBeGreaterThanOrEqual(2 * MINUTE);
        if (young < DAY) expect(wait(young)).toBeLessThanOrEqual(15 * MINUTE);
      }),
    );
  });
});

describe('the questions about a charge', () => {
  const ended = (now: number, failures: number) =>
    questionsEnd({ createdAt: new Date(0), expiresAt: new Date(3 * DAY), failures }, now);

  it('end a day after its expiry, and a month after it when the provider cannot be asked', () => {
    expect([ended(4 * DAY - 1, 0), ended(4 * DAY, 0)]).toEqual([false, true]);
    expect([ended(33 * DAY - 1, 1), ended(33 * DAY, 1)]).toEqual([false, true]);
  });
});

describe('the pause of an account', () => {
  it.each([
    ['refused', 1, undefined, 2 * MINUTE],
    ['refused', 4, undefined, 16 * MINUTE],
    ['refused', 900, undefined, HOUR],
    ['unavailable', 3, undefined, 8 * MINUTE],
    ['unavailable', 4, undefined, 15 * MINUTE],
    ['unavailable', 1, 30, 2 * MINUTE],
    ['unavailable', 1, 1_800, 30 * MINUTE],
  ] as const)('%s, %d times, retry after %s s: %d ms', (kind, failures, retryAfterSeconds, expected) => {
    expect(accountPauseMs({ kind, failures, retryAfterSeconds })).toBe(expected);
  });
});
