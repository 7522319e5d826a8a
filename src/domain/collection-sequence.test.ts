import { describe, expect, it } from '@jest/globals';
import { loadPolicy } from '../services/shared/load-policy.ts';
import { DAY } from './calendar.ts';
import { nextMove } from './collection-sequence.ts';

const { sequence } = loadPolicy();
const at = 1_000_000;
const move = (contactsMade: number, promiseLapsed = false) =>
  nextMove(sequence, { contactsMade, anchorAt: at, promiseLapsed });

describe('nextMove', () => {
  it('begins at once, with a friendly text', () => {
    expect(move(0)).toEqual({ kind: 'first', tone: 'friendly', step: 1, notBefore: at });
  });

  it('continues after the wait of the previous step', () => {
    expect(move(1)).toEqual({ kind: 'reminder', tone: 'friendly', step: 2, notBefore: at + 3 * DAY });
    expect(move(5)).toEqual({ kind: 'last', tone: 'firm', step: 6, notBefore: at + 14 * DAY });
  });

  it('is exhausted as soon as the last step was made', () => {
    expect(move(6)).toEqual({ kind: 'exhausted', notBefore: at });
    expect(move(7)).toEqual({ kind: 'exhausted', notBefore: at });
  });

  it('mentions a lapsed promise without a further wait', () => {
    expect(move(2, true)).toEqual({ kind: 'after_promise', tone: 'neutral', step: 3, notBefore: at });
    expect(move(5, true)).toEqual({ kind: 'last', tone: 'firm', step: 6, notBefore: at });
  });
});
