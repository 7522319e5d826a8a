import { canonicalPhone } from '../../../kernel/phone.ts';

/** What `POST /api/genuine` takes; a message of every channel is shorter. */
export const MAX_CONTENT = 4_096;

/** So often an address may ask, over all processes: enough for a person, and too little to try out what was sent. */
export const QUESTIONS_PER_HOUR = 20;

/** What a content can be. */
export const CONTENT_KINDS = ['message', 'link', 'pix', 'sender'] as const;
export type ContentKind = (typeof CONTENT_KINDS)[number];

/**
 * Returns the text by which a message is recognised: without white space, which copying changes, and in the one spelling
 * that Unicode has for equal characters. A character that only looks alike is another one.
 */
export const wholeText = (text: string): string => text.replace(/\s+/gu, '').normalize('NFC');

/** Returns what a Pix code is compared by: every character of it. A long line may have been broken while it was copied. */
export const pixCodeOf = (content: string): string => content.trim().replace(/[\r\n]/g, '');

/** A number as people write it. */
const NUMBER = /^\+?[\d\s().-]{3,40}$/;
/** An address of e-mail; which ones exist is for the senders to say. */
const ADDRESS = /^[\w.+-]{1,64}@[\w.-]{1,190}$/;
/** A word that an account of SMS sends under. Other letters than those of ASCII are none: they look like these. */
const WORD = /^(?=[\x21-\x7e]{0,63}[A-Za-z])[\x21-\x7e]{1,64}$/;
const MOBILE = /^(\d{4})9(\d{8})$/;

/** Takes the trunk prefix away, which stands before an area code: `+55 (011)`, `011`. */
const withoutTrunk = (digits: string): string => digits.replace(/^(55)?0(?=[1-9]{2}\d{8,9}$)/, '$1');

/**
 * Returns the spellings that a sender may be stored in: an address or a word in lower case, or a number in digits, with
 * its country code and, as some channels name a mobile phone, without the ninth digit. Returns none when it is no sender.
 * Letters do not turn a word into the number that its digits are: `ESCOLA29091` is another sender than `29091`.
 */
export function sendersOf(content: string): readonly string[] {
  const text = content.trim();
  if (text.length <= 254 && ADDRESS.test(text)) return [text.toLowerCase()];
  if (WORD.test(text)) return [text.toLowerCase()];
  if (!NUMBER.test(text)) return [];
  const digits = withoutTrunk(text.replace(/\D/g, ''));
  const national = text.startsWith('+') && !digits.startsWith('55') ? null : canonicalPhone(digits);
  if (national === null) return [digits];
  const whole = national.slice(1);
  return [...new Set([digits, whole, whole.replace(MOBILE, '$1$2')])];
}
