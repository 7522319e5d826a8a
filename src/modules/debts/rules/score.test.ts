import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ScoreInput, scoreDebt } from './score.ts';

const DEBT: ScoreInput = {
  debtId: 'a',
  amountCentavos: 15_000,
  daysOverdue: 20,
  paidBefore: 0,
  unpaidBefore: 0,
  brokenPromises: 0,
  hasMobile: true,
  hasEmail: false,
  lastDelivery: null,
  hasAnswered: false,
};

const anyDebt: fc.Arbitrary<ScoreInput> = fc.record({
  debtId: fc.uuid(),
  amountCentavos: fc.integer({ min: 1, max: 9_999_999_999 }),
  daysOverdue: fc.integer({ min: -365, max: 3650 }),
  paidBefore: fc.nat(20),
  unpaidBefore: fc.nat(20),
  brokenPromises: fc.nat(20),
  hasMobile: fc.boolean(),
  hasEmail: fc.boolean(),
  lastDelivery: fc.constantFrom('read', 'delivered', 'failed', null),
  hasAnswered: fc.boolean(),
});

const scoreOf = (change: Partial<ScoreInput>): number => scoreDebt({ ...DEBT, ...change }).score;

describe('scoreDebt', () => {
  it('explains every point of the score', () => {
    const { score, reasons } = scoreDebt({ ...DEBT, paidBefore: 1, brokenPromises: 2 });
    expect(reasons.map(({ code, points }) => [code, points])).toEqual([
      ['base', 50],
      ['age', 20],
      ['amount', 5],
      ['paid_before', 10],
      ['broken_promises', -10],
    ]);
    expect(score).toBe(75);
  });

  it.each([
    ['an older debt', { daysOverdue: 400 }],
    ['a larger amount', { amountCentavos: 5_000_000 }],
    ['other unpaid debts', { unpaidBefore: 2 }],
    ['broken promises', { brokenPromises: 1 }],
    ['no mobile phone', { hasMobile: false }],
    ['an undelivered message', { lastDelivery: 'failed' as const }],
  ])('is lower for %s', (_, change) => {
    expect(scoreOf(change)).toBeLessThan(scoreOf({}));
  });

  it.each([
    ['debts paid before', { paidBefore: 1 }],
    ['an e-mail', { hasEmail: true }],
    ['an answer', { hasAnswered: true }],
    ['a read message', { lastDelivery: 'read' as const }],
  ])('is higher for %s', (_, change) => {
    expect(scoreOf(change)).toBeGreaterThan(scoreOf({}));
  });

  it('is a whole number of 0 to 100 that its reasons add up to', () => {
    fc.assert(
      fc.property(anyDebt, (debt) => {
        const { score, reasons } = scoreDebt(debt);
        const sum = reasons.reduce((total, { points }) => total + points, 0);
        expect(Number.isInteger(score)).toBe(true);
        expect(score).toBe(Math.max(0, Math.min(100, sum)));
        expect(scoreDebt(debt)).toEqual(scoreDebt({ ...debt }));
      }),
    );
  });
});
