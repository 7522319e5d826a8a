import { decodePunycode } from '../../../kernel/punycode.ts';

export type EmailProblem = 'email_invalid' | 'email_not_corporate';

const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
// The .br registry allows these letters. Every other script is refused, because a look-alike letter (Cyrillic а) cannot
// be distinguished from fraud.
const LABEL = /^[a-z0-9àáâãçéêíóôõúü]([a-z0-9àáâãçéêíóôõúü-]*[a-z0-9àáâãçéêíóôõúü])?$/;
const TOP_LEVEL = /^[a-z]{2,63}$/;
// Lists of free e-mail domains contain some of these suffixes, although a whole country registers below them (com.ar).
const PUBLIC_SUFFIX = /^(ac|co|com|edu|gob|gov|ind|net|org)\.[a-z]{2}$/;
// RFC 2606 reserves these domains: they have no mailboxes, although lists of disposable domains contain them. The
// documentation uses them in its examples.
const RESERVED = /(^|\.)example\.(com|net|org)$/;

const withoutAccents = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');

/**
 * Returns the one spelling of a domain: lower case, full-width letters folded, `xn--` decoded; null for another text.
 */
export const normaliseDomain = (domain: string): string | null => {
  if (domain.length > 253) return null;
  const labels = domain.normalize('NFKC').toLowerCase().split('.');
  const decoded: string[] = [];
  for (const label of labels) {
    const text = label.startsWith('xn--') ? decodePunycode(label.slice(4)) : label;
    if (text === null || label.length > 63 || !LABEL.test(text)) return null;
    // An encoded label that holds only ASCII characters is a second spelling of another name.
    if (text !== label && /^[a-z0-9-]*$/.test(text)) return null;
    decoded.push(text);
  }
  return decoded.length >= 2 && TOP_LEVEL.test(decoded.at(-1)!) ? decoded.join('.') : null;
};

/** Returns the one spelling under which an address is stored and compared; null for a text that is not an address. */
export const normaliseEmail = (value: unknown): string | null => {
  if (typeof value !== 'string' || value.length > 254) return null;
  const at = value.lastIndexOf('@');
  // Only A to Z are changed: `toLowerCase` on the whole text would turn the Kelvin sign into an ordinary k.
  const local = value.slice(0, Math.max(at, 0)).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const domain = normaliseDomain(value.slice(at + 1));
  if (local.length > 64 || domain === null || !LOCAL_PART.test(local)) return null;
  return `${local}@${domain}`;
};

/**
 * `isPersonalDomain` says whether a domain is on the lists of free and disposable providers. A subdomain of a listed
 * one is personal too, and so is a name that differs from a listed one by accents only.
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

/** Returns the domain itself and every parent domain that is not a public suffix. */
const suffixes = (domain: string): string[] => {
  const labels = domain.split('.');
  return labels
    .slice(0, -1)
    .map((_, index) => labels.slice(index).join('.'))
    .filter((name, index) => index === 0 || !PUBLIC_SUFFIX.test(name));
};
