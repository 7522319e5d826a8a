import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { AREA_CODES } from '../../../kernel/phone.ts';

const SUBSCRIBERS: ReadonlySet<string | undefined> = new Set(['MOBILE', 'FIXED_LINE', 'FIXED_LINE_OR_MOBILE']);
const KNOWN_AREA_CODES = new Set(AREA_CODES);

/** The usual format of numbers. The library gives the same result for them, but takes a hundred times longer. */
const USUAL = /^(?:\+?55)? ?(?:\((\d\d)\)|(\d\d))[ -]?(9\d{4}|[2-5]\d{3})[ -]?(\d{4})$/;

const askLibrary = (value: string): string | null => {
  const phone = parsePhoneNumberFromString(value, 'BR');
  if (phone === undefined || phone.country !== 'BR' || !SUBSCRIBERS.has(phone.getType())) return null;
  return phone.number;
};

/** E.164 of a valid Brazilian mobile or landline number, with or without +55; null for anything else. */
export const parsePhone = (value: unknown): string | null => {
  // The library finds a number in any surrounding text, with letters and extensions. Only digits and punctuation are
  // accepted.
  if (typeof value !== 'string' || value.length > 40 || !/^[\d\s()+.-]+$/.test(value)) return null;
  const usual = USUAL.exec(value);
  const areaCode = usual?.[1] ?? usual?.[2];
  if (usual === null || areaCode === undefined || !KNOWN_AREA_CODES.has(areaCode)) return askLibrary(value);
  return `+55${areaCode}${usual[3]}${usual[4]}`;
};
