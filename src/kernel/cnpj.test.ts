import * as brazilianUtils from '@brazilian-utils/brazilian-utils';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatCnpj, parseCnpj } from './cnpj.ts';

describe('parseCnpj', () => {
  it.each([
    '12ABC34501DE35',
    '1345C3A5000106',
    'A1B2C3D4000193',
    'AAAAAAAAAAAA45',
    'ZZZZZZZZZZZZ62',
    '11222333000181',
    '00000000000191',
    '60701190000104',
  ])('takes %s, formatted and in lower case too', (cnpj) => {
    expect(parseCnpj(cnpj)).toBe(cnpj);
    expect(parseCnpj(formatCnpj(cnpj))).toBe(cnpj);
    expect(parseCnpj(formatCnpj(cnpj).toLowerCase())).toBe(cnpj);
  });

  it('is formatted as the Receita Federal formats it', () => {
    expect(formatCnpj('12ABC34501DE35')).toBe('12.ABC.345/01DE-35');
  });

  it.each([
    '12ABC34501DE36',
    '12ABC34501DE45',
    '12ABC34501DE3A',
    '11222333000182',
    '00000000000000',
    '11111111111111',
    '1122233300018',
    '112223330001811',
    '11-222-333/0001.81',
    'ıııııııııııı45',
    'ＡＡＡＡＡＡＡＡＡＡＡＡ45',
    '',
    11_222_333_000_181,
    null,
    ['11222333000181'],
    '1'.repeat(1_000_000),
  ])('refuses %p', (value) => {
    expect(parseCnpj(value)).toBeNull();
  });

  it('agrees with an independent library on any fourteen characters', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^([0-9]{12}|[0-9A-Z]{12})$/), fc.stringMatching(/^\d{2}$/), (root, digits) => {
        expect(parseCnpj(root + digits) !== null).toBe(brazilianUtils.isValidCnpj(root + digits, { version: 2 }));
      }),
      { numRuns: 2000 },
    );
  });

  it('accepts exactly one pair of check digits for a root', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9A-Z]{12}$/), (root) => {
        const pairs = Array.from({ length: 100 }, (_, pair) => root + String(pair).padStart(2, '0'));
        expect(pairs.filter((cnpj) => parseCnpj(cnpj) !== null)).toHaveLength(1);
      }),
    );
  });
});
