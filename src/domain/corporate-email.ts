import { decodePunycode } from './punycode.ts';

export type EmailProblem = 'email_invalid' | 'email_not_corporate';

const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
// .br registers these letters; every other script is refused, since a look-alike (Cyrillic а) cannot be told from fraud.
const LABEL = /^[a-z0-9àáâãçéêíóôõúü]([a-z0-9àáâãçéêíóôõúü-]*[a-z0-9àáâãçéêíóôõúü])?$/;
const TOP_LEVEL = /^[a-z]{2,63}$/;
// Lists of free domains name some of these although whole countries register below them (com.ar).
const PUBLIC_SUFFIX = /^(ac|co|com|edu|gob|gov|ind|net|org)\.[a-z]{2}$/;
// RFC 2606: nobody has a mailbox there, though lists of throw-away domains name them. Documentation relies on them.
const RESERVED = /(^|\.)example\.(com|net|org)$/;

const withoutAccents = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');

/** One spelling for a domain: lower case, full-width letters folded, `xn--` decoded. null when it is not one. */
export const normaliseDomain = (domain: string): string | null => {
  if (domain.length > 253) return null;
  const labels = domain.normalize('NFKC').toLowerCase().split('.');
  const decoded: string[] = [];
  for (const label of labels) {
    const text = label.startsWith('xn--') ? decodePunycode(label.slice(4)) : label;
    if (text === null || label.length > 63 || !LABEL.test(text)) return null;
    // An encoded label that holds nothing but ASCII is a second spelling of another name.
    if (text !== label && /^[a-z0-9-]*$/.test(text)) return null;
    decoded.push(text);
  }
  return decoded.length >= 2 && TOP_LEVEL.test(decoded.at(-1)!) ? decoded.join('.') : null;
};

/** The one spelling under which an address is stored and compared; null when it is not an address. */
export const normaliseEmail = (value: unknown): string | null => {
  if (typeof value !== 'string' || value.length > 254) return null;
  const at = value.lastIndexOf('@');
  // Lowered letter by letter: `toLowerCase` turns the Kelvin sign into an ordinary k.
  const local = value.slice(0, Math.max(at, 0)).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const domain = normaliseDomain(value.slice(at + 1));
  if (local.length > 64 || domain === null || !LOCAL_PART.test(local)) return null;
  return `${local}@${domain}`;
};

/**
 * `isPersonalDomain` says whether a domain is on the lists of free and disposable providers. A subdomain of a listed one
 * is personal too, and so is a name that differs from a listed one by accents only.
 */
export const corporateEmailProblem = (
  email: unknown,
  isPersonalDomain: (domain: string) => boolean,
): EmailProblem | null => {
  const address = normaliseEmail(email);
  if (address === null) return 'email_invalid';
  const domain = address.slice(address.lastIndexOf('@') + 1);
  if (RESERVED.test(domain)) return null;
  const personal = [domain, withoutAccents(domain)].some((name) => suffixes(name).some(isPersonalDomain));
  return personal ? 'email_not_corporate' : null;
};

/** The domain itself and every parent that is not a public suffix. */
const suffixes = (domain: string): string[] => {
  const labels = domain.split('.');
  return labels
    .slice(0, -1)
    .map((_, index) => labels.slice(index).join('.'))
    .filter((name, index) => index === 0 || !PUBLIC_SUFFIX.test(name));
};
