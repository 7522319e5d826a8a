import { invoiceKeyOf } from './invoice-key.ts';
import { nameKeyOf } from './name-key.ts';
import { inboundPhones } from './phone.ts';

/** What a searched text may be. A debt that agrees with any of these is found. */
export interface SearchTerms {
  /** The CPF or CNPJ, as it is stored. */
  readonly taxId: string | null;
  /** The spellings of the phone, as they are stored. */
  readonly phones: readonly string[];
  /** The beginning of an invoice; null when the text cannot be one. */
  readonly invoiceKey: string | null;
  /** The beginning of a name; null when nothing of the text can be in a name's key. */
  readonly nameKey: string | null;
}

/** A CPF, a CNPJ (since July 2026 with letters) or a phone is written with these characters around its own. */
const PUNCTUATION = /[\s()+./-]/g;

function taxIdOf(compact: string): string | null {
  if (/^\d{11}$/.test(compact)) return compact;
  const upper = compact.toUpperCase();
  return /^[0-9A-Z]{12}\d{2}$/.test(upper) ? upper : null;
}

/** A number with a trunk prefix, such as (011) 98765-0001, is the same phone. */
const phonesOf = (compact: string): readonly string[] =>
  /^\d{10,14}$/.test(compact) ? inboundPhones(compact.replace(/^0/, '')) : [];

const orNull = (text: string): string | null => (text === '' ? null : text);

/** Reads what staff typed into a search box. */
export function searchTermsOf(text: string): SearchTerms {
  const trimmed = text.trim();
  const compact = trimmed.replace(PUNCTUATION, '');
  return {
    taxId: taxIdOf(compact),
    phones: phonesOf(compact),
    invoiceKey: orNull(invoiceKeyOf(trimmed)),
    nameKey: orNull(nameKeyOf(trimmed)),
  };
}
