/** Crockford's base32 omits I, L, O and U, so that a protocol read aloud or typed from paper is not misread. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const SHAPE = /^(QT|AC|PD|QA)-(\d{4})-([0-9A-HJKMNP-TV-Z]{10})([0-9A-HJKMNP-TV-Z])$/;

/**
 * `QT`: a receipt; `AC`: the Termo de Acordo of an agreement; `QA`: an annual quittance; `PD`: a request about rights, which has
 * no document.
 */
export type ProtocolKind = 'QT' | 'AC' | 'QA' | 'PD';

export type DocumentKind = Exclude<ProtocolKind, 'PD'>;

/** What the address of a document calls it. */
export const DOCUMENT_NAMES = {
  QT: 'receipt',
  AC: 'agreement',
  QA: 'annual-quittance',
} as const satisfies Record<DocumentKind, string>;

export const PROTOCOL_BYTES = 10;

/** Luhn modulo 32 over the ten characters detects every single wrong character and nearly every swapped pair. */
const checkCharacter = (body: string): string => {
  let sum = 0;
  for (let index = body.length - 1, factor = 2; index >= 0; index -= 1, factor = 3 - factor) {
    const addend = factor * ALPHABET.indexOf(body.charAt(index));
    sum += Math.floor(addend / 32) + (addend % 32);
  }
  return ALPHABET.charAt((32 - (sum % 32)) % 32);
};

/** The caller passes ten random bytes, of which five bits each are used. */
export const makeProtocol = (kind: ProtocolKind, year: number, randomBytes: Uint8Array): string => {
  if (randomBytes.length < PROTOCOL_BYTES) throw new RangeError(`a protocol needs ${PROTOCOL_BYTES} random bytes`);
  if (!Number.isInteger(year) || year < 1000 || year > 9999)
    throw new RangeError('a protocol needs a year of four digits');
  const body = Array.from(randomBytes.slice(0, PROTOCOL_BYTES), (byte) => ALPHABET.charAt(byte & 31)).join('');
  return `${kind}-${year}-${body}${checkCharacter(body)}`;
};

/** Returns what document has such a protocol; null for a text that is none. */
export const kindOfProtocol = (value: string): ProtocolKind | null => {
  const match = SHAPE.exec(value);
  return match !== null && checkCharacter(match[3]!) === match[4] ? (match[1] as ProtocolKind) : null;
};

/**
 * Reads the protocol of a receipt, or its beginning, as a person types it from paper: lower case, outer spaces, and Crockford's
 * substitutes (O for 0, I and L for 1). Null when the text is no beginning of one.
 */
export const readProtocolStart = (typed: string): string | null => {
  const match = /^QT-(\d{4})-([0-9A-Z]{1,11})$/.exec(typed.trim().toUpperCase());
  return match === null ? null : `QT-${match[1]}-${match[2]!.replace(/O/g, '0').replace(/[IL]/g, '1')}`;
};
