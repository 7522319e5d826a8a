import * as brazilianUtils from '@brazilian-utils/brazilian-utils';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatCpf, maskCpf, parseCpf } from './cpf.ts';

describe('parseCpf', () => {
  it.each(['52998224725', '11144477735', '12345678909', '19119119100', '39053344705'])(
    'takes %s, formatted too',
    (cpf) => {
      expect(parseCpf(cpf)).toBe(cpf);
      expect(parseCpf(formatCpf(cpf))).toBe(cpf);
      expect(parseCpf(` ${cpf} `)).toBe(cpf);
    },
  );

  it.each([
    '52998224724',
    '52998224735',
    '00000000000',
    '11111111111',
    '99999999999',
    '5299822472',
    '529982247255',
    '529-982-247.25',
    '529.982.247/25',
    '５２９９８２２４７２５',
    '5299822472a',
    '',
    ' ',
    52_998_224_725,
    null,
    undefined,
    ['52998224725'],
    '5'.repeat(1_000_000),
  ])('refuses %p', (value) => {
    expect(parseCpf(value)).toBeNull();
  });

  it('agrees with an independent library on any eleven digits', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{9}$/), fc.stringMatching(/^\d{2}$/), (root, digits) => {
        expect(parseCpf(root + digits) !== null).toBe(brazilianUtils.isValidCpf(root + digits));
      }),
      { numRuns: 2000 },
    );
  });

  it('accepts exactly one pair of check digits for a root', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{9}$/), (root) => {
        fc.pre(!/^(\d)\1{8}$/.test(root));
        const pairs = Array.from({ length: 100 }, (_, pair) => root + String(pair).padStart(2, '0'));
        expect(pairs.filter((cpf) => parseCpf(cpf) !== null)).toHaveLength(1);
      }),
    );
  });
});

it('masks all but the middle', () => {
  expect(maskCpf('52998224725')).toBe('***.982.247-**');
});
