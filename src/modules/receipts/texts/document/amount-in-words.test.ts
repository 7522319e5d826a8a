import { convertCurrencyToWords } from '@brazilian-utils/brazilian-utils';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { amountInWords } from './amount-in-words.ts';

describe('amountInWords', () => {
  it.each([
    [1, 'um centavo'],
    [100, 'um real'],
    [101, 'um real e um centavo'],
    [10_000, 'cem reais'],
    [100_000, 'mil reais'],
    [123_456, 'mil duzentos e trinta e quatro reais e cinquenta e seis centavos'],
    [200_000_000, 'dois milhões de reais'],
    [
      9_999_999_999,
      'noventa e nove milhões novecentos e noventa e nove mil novecentos e noventa e nove reais e noventa e nove centavos',
    ],
  ])('%d centavos', (centavos, words) => {
    expect(amountInWords(centavos)).toBe(words);
  });

  it('agrees with an independent library', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999_999 }), (centavos) => {
        expect(amountInWords(centavos)).toBe(convertCurrencyToWords(centavos / 100));
      }),
      { numRuns: 500 },
    );
  });

  it.each([0, -1, 1.5, 100_000_000_000])('refuses %d', (centavos) => {
    expect(() => amountInWords(centavos)).toThrow(RangeError);
  });
});
