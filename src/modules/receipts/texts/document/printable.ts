const UNREADABLE = '(nome sem caracteres legíveis)';

/**
 * A name may contain any character, but a document can show only those of its font. This function composes accents,
 * removes characters that the font cannot draw (such a character would make the file invalid as PDF/A and PDF/UA) and
 * invisible ones (controls, joiners, variation selectors), and reduces white space.
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
  // A combining mark is removed when its letter was removed.
  return kept
    .replace(/(^|\s)\p{M}+/gu, '$1')
    .replace(/ +/g, ' ')
    .trim();
}

export function printableName(text: string, hasGlyph: (codePoint: number) => boolean): string {
  return printable(text, hasGlyph) || UNREADABLE;
}
