import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

const SUBSCRIBERS: ReadonlySet<string | undefined> = new Set(['MOBILE', 'FIXED_LINE', 'FIXED_LINE_OR_MOBILE']);

/** E.164 of a valid Brazilian mobile or landline number, with or without +55; null for anything else. */
export const parsePhone = (value: unknown): string | null => {
  // The library digs a number out of any text around it, letters and extensions included: only digits and punctuation pass.
  if (typeof value !== 'string' || value.length > 40 || !/^[\d\s()+.-]+$/.test(value)) return null;
  const phone = parsePhoneNumberFromString(value, 'BR');
  if (phone === undefined || phone.country !== 'BR' || !SUBSCRIBERS.has(phone.getType())) return null;
  return phone.number;
};
