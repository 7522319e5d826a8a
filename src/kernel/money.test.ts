import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatReais, MAX_CENTAVOS, parseReais, toReais } from './money.ts';

describe('parseReais', () => {
  it.each([
    [19.99, 1999],
    [0.01, 1],
    [0.07, 7],
    [1.1, 110],
    [4.35, 435],
    [1234.56, 123_456],
    [100, 10_000],
    [99_999_999.99, MAX_CENTAVOS],
  ])('reads %d as %d centavos', (reais, centavos) => {
    expect(parseReais(reais)).toBe(centavos);
  });

  it.each([
    10.999,
    0.001,
    0.1 + 0.2,
    19.990000001,
    1e12,
    99_999_999.991,
    100_000_000,
    0,
    -0,
    -5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.MIN_VALUE,
    Number.MAX_VALUE,
    '100',
    null,
    undefined,
    true,
    [5],
    { valueOf: () => 5 },
    10n,
  ])('refuses %p', (value) => {
    expect(parseReais(value)).toBeNull();
  });

  it('reads every amount with two decimals and converts it back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_CENTAVOS }), (centavos) => {
        const written = Number(`${Math.floor(centavos / 100)}.${String(centavos % 100).padStart(2, '0')}`);
        expect(parseReais(written)).toBe(centavos);
        expect(toReais(centavos)).toBe(written);
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses every amount with a third decimal', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99_999_999 }),
        fc.integer({ min: 0, max: 99 }),
        fc.integer({ min: 1, max: 9 }),
        (whole, cents, third) => {
          expect(parseReais(Number(`${whole}.${String(cents).padStart(2, '0')}${third}`))).toBeNull();
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('formatReais', () => {
  it.each([
    [123_456, 'R$ 1.234,56'],
    [1, 'R$ 0,01'],
    [0, 'R$ 0,00'],
    [99_900, 'R$ 999,00'],
    [100_000, 'R$ 1.000,00'],
    [MAX_CENTAVOS, 'R$ 99.999.999,99'],
    [-5, '-R$ 0,05'],
  ])('writes %d as %s', (centavos, text) => {
    expect(formatReais(centavos)).toBe(text);
  });

  it('formats like the Brazilian locale', () => {
    const locale = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
    fc.assert(
      fc.property(fc.integer({ min: -MAX_CENTAVOS, max: MAX_CENTAVOS }), (centavos) => {
        expect(formatReais(centavos)).toBe(locale.format(centavos / 100).replace(/\u00a0/g, ' '));
      }),
    );
  });
});
