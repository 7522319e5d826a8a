/** Whether the font of the documents draws a character. */
export type HasGlyph = (codePoint: number) => boolean;

const UNREADABLE = '(nome sem caracteres legíveis)';

/**
 * A name may contain any character, but a document can show only those of its font. This function composes accents,
 * removes characters that the font cannot draw (such a character would make the file invalid as PDF/A and PDF/UA) and
 * invisible ones (controls, joiners, variation selectors), and reduces white space.
 */
export function printable(text: string, hasGlyph: HasGlyph): string {
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

export function printableName(text: string, hasGlyph: HasGlyph): string {
  return printable(text, hasGlyph) || UNREADABLE;
}

export const printableOrNull = (value: string | null | undefined, hasGlyph: HasGlyph): string | null =>
  value ? printable(value, hasGlyph) || null : null;

/** Each line stays one. */
export const printableLines = (text: string, hasGlyph: HasGlyph): string =>
  text
    .split('\n')
    .map((line) => printable(line, hasGlyph))
    .join('\n');
