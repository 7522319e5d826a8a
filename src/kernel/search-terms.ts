import { AREA_CODES, inboundPhones } from './phone.ts';

/** What a searched text may be. A debt that agrees with any of these is found. */
export interface SearchTerms {
  /** The first and the last CPF or CNPJ, as they are stored, that the text may be the beginning of. */
  readonly taxIds: { readonly from: string; readonly to: string } | null;
  /** The spellings of the phone, as they are stored. */
  readonly phones: readonly string[];
  /** The beginning of an invoice; null when the text cannot be one. */
  readonly invoiceKey: string | null;
  /** Beginnings of words of a name, in any order; empty when the text is a number. */
  readonly words: readonly string[];
}

/** A CPF, a CNPJ (since July 2026 with letters) or a phone is written with these characters around its own. */
const PUNCTUATION = /[\s()+./-]/g;

/** Fewer digits would find too many people. */
const LEAST_DIGITS = 6;
const CPF_DIGITS = 11;

function taxIdsOf(compact: string): SearchTerms['taxIds'] {
  const upper = compact.toUpperCase();
  if (/^[0-9A-Z]{12}\d{2}$/.test(upper)) return { from: upper, to: upper };
  if (!/^\d+$/.test(compact) || compact.length < LEAST_DIGITS || compact.length > CPF_DIGITS) return null;
  return { from: compact.padEnd(CPF_DIGITS, '0'), to: compact.padEnd(CPF_DIGITS, '9') };
}

/** A number with a trunk prefix, such as (011) 98765-0001, is the same phone. */
function phonesOf(compact: string): readonly string[] {
  if (/^\d{10,14}$/.test(compact)) return inboundPhones(compact.replace(/^0/, ''));
  // Without its area code a number may be in any of them, which an index finds one by one.
  if (/^\d{8,9}$/.test(compact)) return [...new Set(AREA_CODES.flatMap((code) => inboundPhones(code + compact)))];
  return [];
}

/** What separates the words of a name; the statement that searches treats these characters alike. */
export const WORD_SEPARATORS = "-'./(),";
const SEPARATORS = /[-'./(),\s]+/;
const MAX_WORDS = 10;

const wordsOf = (nameKey: string): readonly string[] =>
  nameKey
    .split(SEPARATORS)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);

/** No name has so many digits. */
const isNumber = (compact: string): boolean => /^\d+$/.test(compact) && compact.length >= LEAST_DIGITS;

const orNull = (text: string): string | null => (text === '' ? null : text);

/** Reads what staff typed into a search box. */
export function searchTermsOf(text: string): SearchTerms {
  const trimmed = text.trim();
  const compact = trimmed.replace(PUNCTUATION, '');
  return {
    taxIds: taxIdsOf(compact),
    phones: phonesOf(compact),
    invoiceKey: orNull(invoiceKeyOf(trimmed)),
    words: isNumber(compact) ? [] : wordsOf(nameKeyOf(trimmed)),
  };
}

/** Returns the form in which two spellings of an invoice are compared. Capitals do not make another invoice. */
export const invoiceKeyOf = (invoiceId: string): string => invoiceId.normalize('NFC').toLowerCase();

/** Bounds the entry of an index: a character may fold into many. */
const MAX_CHARACTERS = 200;

/**
 * Returns the form in which names are searched: accents, capitals and the number of spaces make no difference.
 */
export const nameKeyOf = (name: string): string => {
  const folded = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
  return folded.length <= MAX_CHARACTERS ? folded : [...folded].slice(0, MAX_CHARACTERS).join('');
};
