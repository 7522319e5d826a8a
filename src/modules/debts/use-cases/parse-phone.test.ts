import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { AREA_CODES } from '../../../kernel/phone.ts';
import { parsePhone } from './parse-phone.ts';

describe('parsePhone', () => {
  it.each([
    ['+5511987654321', '+5511987654321'],
    ['5511987654321', '+5511987654321'],
    ['11987654321', '+5511987654321'],
    ['(11) 98765-4321', '+5511987654321'],
    ['+55 (11) 9.8765-4321', '+5511987654321'],
    ['011987654321', '+5511987654321'],
    ['+551133334444', '+551133334444'],
    ['1133334444', '+551133334444'],
    ['55999998888', '+5555999998888'],
    ['+5511999990001', '+5511999990001'],
  ])('takes %s', (written, phone) => {
    expect(parsePhone(written)).toBe(phone);
  });

  it.each([
    '+551187654321',
    '987654321',
    '+5520987654321',
    '20987654321',
    '0800 123 4567',
    '08001234567',
    '+558001234567',
    '190',
    '4004-1234',
    '0300 123 4567',
    '+14155552671',
    '+351912345678',
    '+5511987654321 ramal 5',
    '+5511987654321;ext=5',
    'tel:+5511987654321',
    '１１９８７６５４３２１',
    '++5511987654321',
    '',
    '   ',
    11_987_654_321,
    null,
    ['11987654321'],
    '1'.repeat(1_000_000),
  ])('refuses %p', (value) => {
    expect(parsePhone(value)).toBeNull();
  });

  it('takes mobiles and landlines in exactly the 67 area codes', () => {
    const all = Array.from({ length: 90 }, (_, index) => String(index + 10));
    expect(all.filter((code) => parsePhone(`${code}987654321`) !== null)).toEqual(AREA_CODES);
    expect(all.filter((code) => parsePhone(`+55${code}33334444`) !== null)).toEqual(AREA_CODES);
  });

  it('agrees with the library for numbers in the usual format', () => {
    const digits = (count: number) =>
      fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: count, maxLength: count });
    const subscriber = fc.oneof(
      digits(8),
      digits(9),
      digits(8).map((rest) => `9${rest}`),
    );
    const written = fc
      .tuple(fc.constantFrom('', '55', '+55', '+55 ', ' '), digits(2), subscriber, fc.constantFrom('', '-', ' '))
      .chain(([prefix, code, number, between]) => {
        const tail = `${number.slice(0, -4)}${between}${number.slice(-4)}`;
        return fc.constantFrom(`${prefix}${code}${tail}`, `${prefix}(${code}) ${tail}`, `${prefix}${code}-${tail}`);
      });
    fc.assert(
      fc.property(written, (value) => {
        const phone = parsePhoneNumberFromString(value, 'BR');
        const known = phone?.country === 'BR' && ['MOBILE', 'FIXED_LINE'].includes(phone.getType() ?? '');
        expect(parsePhone(value)).toBe(known ? phone.number : null);
      }),
      { numRuns: 3_000 },
    );
  });
});
