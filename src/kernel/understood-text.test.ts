import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_UNDERSTOOD, understoodTexts } from './understood-text.ts';

describe('understoodTexts', () => {
  it('joins messages that fit together by line ends', () => {
    expect(understoodTexts(['oi', 'quem é?'])).toEqual(['oi\nquem é?']);
    expect(understoodTexts([])).toEqual([]);
  });

  it('separates messages that do not fit together', () => {
    const long = 'a'.repeat(MAX_UNDERSTOOD);
    expect(understoodTexts([long, 'PARAR', long])).toEqual([long, 'PARAR', long]);
  });

  it('exceeds the limit with no text, and divides no request at a cut, at any position', () => {
    const request = 'parem de me mandar mensagem';
    fc.assert(
      fc.property(
        fc.array(fc.nat(6_000), { minLength: 1, maxLength: 5 }),
        fc.nat(14_000),
        fc.boolean(),
        (lengths, at, spaced) => {
          const messages = lengths.map((length) => (spaced ? 'ab ' : 'abc').repeat(length).slice(0, length));
          const target = at % messages.length;
          const inside = at % (messages[target]!.length + 1);
          messages[target] = `${messages[target]!.slice(0, inside)} ${request} ${messages[target]!.slice(inside)}`;
          const texts = understoodTexts(messages);
          expect(texts.every((text) => text.length <= MAX_UNDERSTOOD)).toBe(true);
          expect(texts.some((text) => text.includes(request))).toBe(true);
        },
      ),
    );
  });
});
