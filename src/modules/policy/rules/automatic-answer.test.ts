import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isAutomaticAnswer, type MessageSigns } from './automatic-answer.ts';

const signs = fc.record({
  words: fc.constantFrom('yes', 'perhaps', 'no'),
  asksForSilence: fc.boolean(),
  isFast: fc.boolean(),
  isRepeated: fc.boolean(),
  isBesideAutomatic: fc.boolean(),
} satisfies Record<keyof MessageSigns, fc.Arbitrary<unknown>>);
const NOTHING: MessageSigns = {
  words: 'no',
  asksForSilence: false,
  isFast: false,
  isRepeated: false,
  isBesideAutomatic: false,
};

describe('an automatic answer', () => {
  it('is never a request for silence, whatever else speaks for a machine', () => {
    fc.assert(fc.property(signs, (given) => !isAutomaticAnswer({ ...given, asksForSilence: true })));
  });

  it('needs two signs, or words that only a machine writes', () => {
    expect(isAutomaticAnswer({ ...NOTHING, words: 'yes' })).toBe(true);
    for (const one of ['isFast', 'isRepeated', 'isBesideAutomatic'] as const) {
      expect(isAutomaticAnswer({ ...NOTHING, [one]: true })).toBe(false);
      expect(isAutomaticAnswer({ ...NOTHING, [one]: true, words: 'perhaps' })).toBe(true);
    }
    expect(isAutomaticAnswer({ ...NOTHING, words: 'perhaps' })).toBe(false);
    expect(isAutomaticAnswer({ ...NOTHING, isFast: true, isRepeated: true })).toBe(true);
  });

  it('stays one when another sign is added', () => {
    fc.assert(
      fc.property(signs, (given) => {
        const more = { ...given, isFast: true, isRepeated: true };
        return !isAutomaticAnswer(given) || isAutomaticAnswer(more);
      }),
    );
  });
});
