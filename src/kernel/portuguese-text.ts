import { ABBREVIATIONS } from './portuguese-abbreviations.ts';

/**
 * Brings the writing of debtors to one form: no accents, lower case, abbreviations expanded, repeated letters reduced.
 */

const EMOJI: readonly (readonly [RegExp, string])[] = [
  [/[\u{1F44D}\u{1F44C}\u2705\u2714\u{1F91D}\u{1F64C}\u{1F44F}]/gu, ' emojiok '],
  [/[\u{1F64F}]/gu, ' emojiporfavor '],
  [/[\u{1F621}\u{1F620}\u{1F92C}\u{1F624}]/gu, ' emojiraiva '],
  [/[\u{1F622}\u{1F62D}\u{1F614}\u{1F61E}\u{1F613}\u{1F629}\u{1F625}]/gu, ' emojitriste '],
  [/[\u{1F6AB}\u26D4\u{1F6D1}\u270B]/gu, ' emojipare '],
  [/[\u{1F602}\u{1F923}\u{1F605}\u{1F606}]/gu, ' emojiriso '],
];

export const stripAccents = (text: string): string => text.normalize('NFD').replace(/[\u0300-\u036f]/g, '');

/** Removes zero-width characters and replaces look-alikes, because both would hide a text from the rules. */
const unmask = (text: string): string =>
  text.normalize('NFKC').replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, '');

const unstretch = (word: string): string =>
  word
    .replace(/([a-z])\1{2,}/g, '$1')
    .replace(/([^rsoea\d])\1+/g, '$1')
    .replace(/(oo|ee|aa)$/g, (pair) => pair[0]!);

const expand = (word: string): string =>
  ABBREVIATIONS.get(word) ?? ABBREVIATIONS.get(unstretch(word)) ?? unstretch(word);

/**
 * Returns words separated by one space; digits, `/`, `%`, `$` and `?` stay, because dates, amounts and questions need
 * them.
 */
export const normalizePortuguese = (text: string): string => {
  let out = unmask(text);
  for (const [pattern, word] of EMOJI) out = out.replace(pattern, word);
  out = stripAccents(out.toLowerCase())
    .replace(/(\d)\s*[ªº°]/g, '$1o')
    .replace(/r\$\s*/g, ' r$ ')
    .replace(/\?/g, ' ? ')
    .replace(/(?<=\d)[.,](?=\d)/g, '_')
    .replace(/[^a-z0-9$%/?_\n]+/g, ' ');
  return out
    .split(/[\s]+/)
    .filter((word) => word !== '')
    .map(expand)
    .join(' ');
};
