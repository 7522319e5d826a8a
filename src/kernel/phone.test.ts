import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  AREA_CODES,
  canonicalPhone,
  displayOffset,
  inboundPhones,
  phonesBehind,
  phonesWithCorrected,
  placeOf,
  placeOfAll,
  STATES,
} from './phone.ts';

describe('area codes', () => {
  it('are the 67 of Brazil and cover all 27 states', () => {
    expect(AREA_CODES).toHaveLength(67);
    expect(new Set(AREA_CODES).size).toBe(67);
    expect([...new Set(AREA_CODES.flatMap((code) => placeOf(code).states))].sort()).toEqual([...STATES]);
  });

  it.each([
    ['11', ['SP'], [-3]],
    ['21', ['RJ'], [-3]],
    ['31', ['MG'], [-3]],
    ['42', ['PR', 'SC'], [-3]],
    ['61', ['DF', 'GO'], [-3]],
    ['65', ['MT'], [-4]],
    ['67', ['MS'], [-4]],
    ['68', ['AC'], [-5]],
    ['69', ['RO'], [-4]],
    ['81', ['PE'], [-3, -2]],
    ['92', ['AM'], [-4]],
    ['93', ['PA'], [-3]],
    ['95', ['RR'], [-4]],
    ['97', ['AM'], [-4, -5]],
    ['99', ['MA'], [-3]],
  ])('%s is in %p at %p', (code, states, offsets) => {
    expect(placeOf(code)).toEqual({ states, utcOffsets: offsets });
    expect(displayOffset(code)).toBe(offsets[0]);
  });

  it('treat an unknown code as anywhere', () => {
    expect(placeOf('20').states).toEqual(STATES);
    expect([...placeOf('20').utcOffsets].sort()).toEqual([-2, -3, -4, -5]);
  });
});

describe('canonicalPhone', () => {
  it.each([
    ['5511987654321', '+5511987654321'],
    ['+55 (11) 98765-4321', '+5511987654321'],
    ['11987654321', '+5511987654321'],
    ['551187654321', '+5511987654321'],
    ['1187654321', '+5511987654321'],
    ['551133334444', '+551133334444'],
    ['55999998888', '+5555999998888'],
    ['5599998888', '+5555999998888'],
    ['555599998888', '+5555999998888'],
  ])('spells %s as %s', (written, phone) => {
    expect(canonicalPhone(written)).toBe(phone);
  });

  it.each(['', 'abc', '08001234567', '20987654321', '+14155552671', '5511187654321', '190', '9'.repeat(1000)])(
    'refuses %p',
    (value) => {
      expect(canonicalPhone(value)).toBeNull();
    },
  );

  it('gives the same number with and without the ninth digit in every area code', () => {
    fc.assert(
      fc.property(fc.constantFrom(...AREA_CODES), fc.stringMatching(/^[2-9]\d{7}$/), (code, eight) => {
        const mobile = `+55${code}9${eight}`;
        expect(canonicalPhone(mobile)).toBe(mobile);
        expect(inboundPhones(`55${code}${eight}`)).toContain(mobile);
        expect(inboundPhones(`55${code}9${eight}`)).toEqual([mobile]);
      }),
      { numRuns: 1000 },
    );
  });

  it('tries a landline number as written first', () => {
    expect(inboundPhones('551133334444')).toEqual(['+551133334444', '+5511933334444']);
    expect(inboundPhones('nobody')).toEqual([]);
  });
});

describe('several phones', () => {
  it('may put their owner in the place of any of them, and dates are shown in that of the first', () => {
    expect(placeOfAll('11', [])).toEqual(placeOf('11'));
    expect(placeOfAll('11', ['68', '21', '11'])).toEqual({ states: ['SP', 'AC', 'RJ'], utcOffsets: [-3, -5] });
  });

  it.each([
    ['a', ['b', 'c']],
    ['b', ['c']],
    ['c', []],
    ['x', ['a', 'b', 'c']],
  ])('behind %s are %j', (inUse, behind) => {
    expect(phonesBehind(['a', 'b', 'c'], inUse)).toEqual(behind);
  });
});

describe('the phones of a debt whose phone in use is corrected', () => {
  it.each<[string, string[], string, boolean, string[]]>([
    ['replaces one that was never written to', [], 'n', false, ['n']],
    ['keeps one that was written to in front', [], 'n', true, ['a', 'n']],
    ['keeps the others in their order', ['g', 'a', 'b'], 'n', true, ['g', 'a', 'n', 'b']],
    ['moves one of the list', ['a', 'b', 'c'], 'c', false, ['c', 'b']],
    ['moves one of the list behind the old one', ['a', 'b', 'c'], 'c', true, ['a', 'c', 'b']],
  ])('%s', (_, phones, next, wasWrittenTo, expected) => {
    expect(phonesWithCorrected(phones, { inUse: 'a', next, wasWrittenTo })).toEqual(expected);
  });
});
