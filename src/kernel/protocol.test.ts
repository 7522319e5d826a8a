import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { kindOfProtocol, makeProtocol, PROTOCOL_BYTES, readProtocolStart } from './protocol.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const bytes = fc.uint8Array({ minLength: PROTOCOL_BYTES, maxLength: PROTOCOL_BYTES });

describe('protocol', () => {
  it('has a fixed spelling, so that old links stay valid', () => {
    expect(makeProtocol('QT', 2026, Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]))).toBe('QT-2026-0000000001Y');
    expect(makeProtocol('QT', 2026, Uint8Array.from([10, 11, 12, 13, 14, 15, 16, 17, 18, 31]))).toBe(
      'QT-2026-ABCDEFGHJZA',
    );
    expect(kindOfProtocol('QT-2026-0000000001Y')).toBe('QT');
  });

  it('is valid as created, and invalid after any single wrong character', () => {
    fc.assert(
      fc.property(bytes, fc.nat({ max: 10 }), fc.nat({ max: 31 }), (random, position, letter) => {
        const protocol = makeProtocol('QT', 2026, random);
        expect(protocol).toMatch(/^QT-2026-[0-9A-HJKMNP-TV-Z]{11}$/);
        expect(kindOfProtocol(protocol)).toBe('QT');
        const at = 'QT-2026-'.length + position;
        const slipped = protocol.slice(0, at) + ALPHABET.charAt(letter) + protocol.slice(at + 1);
        expect(kindOfProtocol(slipped)).toBe(slipped === protocol ? 'QT' : null);
      }),
      { numRuns: 2000 },
    );
  });

  it('detects swapped neighbours, except 0 with Z', () => {
    fc.assert(
      fc.property(bytes, fc.nat({ max: 8 }), (random, position) => {
        const protocol = makeProtocol('QT', 2026, random);
        const at = 'QT-2026-'.length + position;
        const [left, right] = [protocol.charAt(at), protocol.charAt(at + 1)];
        fc.pre(left !== right && ![left, right].every((letter) => '0Z'.includes(letter)));
        expect(kindOfProtocol(protocol.slice(0, at) + right + left + protocol.slice(at + 2))).toBeNull();
      }),
      { numRuns: 2000 },
    );
  });

  it('uses all fifty random bits', () => {
    const made = new Set(
      Array.from({ length: 32 }, (_, byte) => makeProtocol('QT', 2026, new Uint8Array(10).fill(byte))),
    );
    expect(made.size).toBe(32);
  });

  it('reads what a person typed', () => {
    expect(readProtocolStart(' qt-2026-oooooooooly ')).toBe('QT-2026-0000000001Y');
    expect(readProtocolStart('QT-2026-OOOOOOOOOIY')).toBe('QT-2026-0000000001Y');
    expect(readProtocolStart('qt-2026-oi')).toBe('QT-2026-01');
    for (const text of ['', 'QT-2026-', 'QT-2026-%', 'NF-2026-1', 'QT-2026-000000000000']) {
      expect(readProtocolStart(text)).toBeNull();
    }
  });

  it.each([
    '',
    'QT-2026-00000000010',
    'qt-2026-0000000001Y',
    'QT-2026-0000000001',
    'QT-26-0000000001Y',
    'QT-2026-000000000UY',
  ])('refuses %p', (value) => {
    expect(kindOfProtocol(value)).toBeNull();
  });

  it('refuses too few random bytes and years without four digits', () => {
    expect(() => makeProtocol('QT', 2026, new Uint8Array(9))).toThrow(RangeError);
    expect(() => makeProtocol('QT', 26, new Uint8Array(10))).toThrow(RangeError);
  });
});
