import { describe, expect, it } from '@jest/globals';
import { stepOf } from './recorded-steps.ts';

describe('the result of an activity in a history', () => {
  const needsOperator = false;

  it.each([
    [
      { nextAt: 5, done: null, needsOperator },
      { kind: 'wait', until: 5, needsOperator },
    ],
    [
      { nextAt: null, done: null, needsOperator: true },
      { kind: 'waitForSignal', needsOperator: true },
    ],
    [
      { nextAt: 7, done: 'PAID', needsOperator },
      { kind: 'sendReceipt', at: 7, needsOperator },
    ],
    [
      { nextAt: null, done: 'PAID', needsOperator },
      { kind: 'finish', status: 'PAID', needsOperator },
    ],
  ] as const)('of an earlier version %j is read as %j', (recorded, step) => {
    expect(stepOf(recorded)).toEqual(step);
  });

  it('of this version stays as it is', () => {
    const step = { kind: 'finish', status: 'EXHAUSTED', needsOperator: false } as const;
    expect(stepOf(step)).toBe(step);
  });
});
