/** What people are called may hold anything; paper holds what its font has. */

const UNREADABLE = '(nome sem caracteres legíveis)';

/**
 * Composes accents, drops what the font cannot draw (an undrawable character would make the file invalid as PDF/A
 * and PDF/UA) and what is not seen (controls, joiners, variation selectors), and folds white space.
 */
export function printable(text: string, hasGlyph: (codePoint: number) => boolean): string {
  const composed = text
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(/[\p{C}\p{Variation_Selector}]/gu, '');
  let kept = '';
  for (const character of composed) {
    if (hasGlyph(character.codePointAt(0)!)) kept += character;
  }
  // A mark whose letter was dropped would sit on nothing.
  return kept
    .replace(/(^|\s)\p{M}+/gu, '$1')
    .replace(/ +/g, ' ')
    .trim();
}

export function printableName(text: string, hasGlyph: (codePoint: number) => boolean): string {
  return printable(text, hasGlyph) || UNREADABLE;
}
