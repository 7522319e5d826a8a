import { describe, expect, it } from '@jest/globals';
import { DAY } from '../../../kernel/calendar.ts';
import { loadPolicy } from '../use-cases/load-policy.ts';
import { nextMove } from './collection-sequence.ts';

const { sequence } = loadPolicy();
const at = 1_000_000;
const move = (contactsMade: number, promiseLapsed = false) =>
  nextMove(sequence, { contactsMade, anchorAt: at, promiseLapsed });

describe('nextMove', () => {
  it('begins at once, with a friendly text', () => {
    expect(move(0)).toEqual({ kind: 'first', tone: 'friendly', step: 1, earlierReminders: 0, notBefore: at });
  });

  it('continues after the wait of the previous step', () => {
    expect(move(1)).toEqual({
      kind: 'reminder',
      tone: 'friendly',
      step: 2,
      earlierReminders: 0,
      notBefore: at + 3 * DAY,
    });
    expect(move(5)).toEqual({ kind: 'last', tone: 'firm', step: 6, earlierReminders: 4, notBefore: at + 14 * DAY });
  });

  it('is exhausted as soon as the last step was made', () => {
    expect(move(6)).toEqual({ kind: 'exhausted', notBefore: at });
    expect(move(7)).toEqual({ kind: 'exhausted', notBefore: at });
  });

  it('takes up what the staff have decided, and never says again that no message follows', () => {
    const resumed = (contactsMade: number, resumedAfter: 'dispute' | 'said_paid' | 'other') =>
      nextMove(sequence, { contactsMade, anchorAt: at, promiseLapsed: false, resumedAfter });
    expect(resumed(2, 'dispute')).toMatchObject({ kind: 'after_dispute', step: 3 });
    expect(resumed(5, 'said_paid')).toMatchObject({ kind: 'after_said_paid', step: 6 });
    expect([resumed(2, 'other'), resumed(5, 'other')]).toMatchObject([{ kind: 'reminder' }, { kind: 'reminder' }]);
    expect(resumed(6, 'dispute')).toEqual({ kind: 'exhausted', notBefore: at });
  });

  it('mentions a lapsed promise without a further wait', () => {
    expect(move(2, true)).toEqual({
      kind: 'after_promise',
      tone: 'neutral',
      step: 3,
      earlierReminders: 1,
      notBefore: at,
    });
    expect(move(5, true)).toEqual({ kind: 'last', tone: 'firm', step: 6, earlierReminders: 4, notBefore: at });
  });
});
