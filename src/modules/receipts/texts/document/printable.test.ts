import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { receiptFonts } from './fonts.ts';
import { printable, printableName } from './printable.ts';

const { hasGlyph } = receiptFonts();

describe('printable', () => {
  it.each([
    ['João 😀 da Silva', 'João da Silva'],
    ['Ana 👩‍👩‍👧 漢字 Maria', 'Ana Maria'],
    ['Joa\u0303o', 'João'],
    ['Zażółć Ñandú Łukasz', 'Zażółć Ñandú Łukasz'],
    ['Ελένη Иван', 'Ελένη Иван'],
    ['a\u0000b\tc\r\nd\u200be\ufe0ff', 'ab c def'],
    ['Ana \ud83d Lima', 'Ana Lima'],
    ['漢\u0301 x', 'x'],
  ])('%j', (given, shown) => {
    expect(printable(given, hasGlyph)).toBe(shown);
  });

  it('never leaves a name empty', () => {
    expect(printableName('漢字', hasGlyph)).toBe('(nome sem caracteres legíveis)');
  });

  it('keeps only what both weights of the font can draw, and changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const shown = printable(text, hasGlyph);
        for (const character of shown) expect(hasGlyph(character.codePointAt(0)!)).toBe(true);
        expect(printable(shown, hasGlyph)).toBe(shown);
      }),
      { numRuns: 1_000 },
    );
  });
});
