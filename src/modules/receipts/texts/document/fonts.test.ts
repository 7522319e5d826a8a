import { describe, expect, it } from '@jest/globals';
import { openSync } from 'fontkit';
import { FONT_PATHS, receiptFonts } from './fonts.ts';

describe('receiptFonts', () => {
  it('lays out a cached word like a newly opened font', () => {
    const fresh = openSync(FONT_PATHS.bold);
    if ('fonts' in fresh) throw new Error('the font is a collection');
    const { bold } = receiptFonts();
    for (const word of ['Avaliação', 'Tâmara,', 'Avaliação']) {
      const expected = fresh.layout(word);
      const run = bold.layout(word);
      expect(run.glyphs.map(({ id }) => id)).toEqual(expected.glyphs.map(({ id }) => id));
      expect(run.positions.map(({ xAdvance }) => xAdvance)).toEqual(expected.positions.map(({ xAdvance }) => xAdvance));
      expect(run.advanceWidth).toBe(expected.advanceWidth);
    }
  });

  it('allows a caller to scale its positions without changing those of the next caller', () => {
    const { regular } = receiptFonts();
    const first = regular.layout('dívida').positions[0]!;
    const advance = first.xAdvance;
    first.xAdvance *= 2;
    expect(regular.layout('dívida').positions[0]!.xAdvance).toBe(advance);
  });
});
