/** How long a text is as an SMS, and how it is written in the 7-bit alphabet that every phone and carrier takes. */

/** The most segments of one message: each costs as much as a message, and some carriers deliver them one by one. */
export const MAX_SEGMENTS = 2;

/** How a provider cuts a long text into segments. */
export interface SegmentRules {
  /** Whether the extension table of GSM 03.38 is 7-bit text, each of its characters taking two places. */
  readonly extensionTable: boolean;
  /** What one segment of several holds; the header that joins them takes the rest. */
  readonly perSegment: { readonly gsm7: number; readonly ucs2: number };
  /** Whether a segment ends at a space only, so that a longer word cannot be sent at all. */
  readonly cutsAtSpaces: boolean;
}

/** The standard, which Twilio follows. */
export const STANDARD_SEGMENTS: SegmentRules = {
  extensionTable: true,
  perSegment: { gsm7: 153, ucs2: 67 },
  cutsAtSpaces: false,
};
/** What Zenvia documents. A text that fits into two segments by these rules does so by the standard too. */
export const STRICT_SEGMENTS: SegmentRules = {
  extensionTable: false,
  perSegment: { gsm7: 152, ucs2: 66 },
  cutsAtSpaces: true,
};

const SINGLE = { gsm7: 160, ucs2: 70 };
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const EXTENSION = new Set('\f^{}\\[~]|€');

export interface SmsSize {
  readonly alphabet: 'gsm7' | 'ucs2';
  /** Places of 7 or of 16 bits that the whole text takes. */
  readonly places: number;
  /** Infinite when a word is longer than a segment that may only end at a space. */
  readonly segments: number;
}

export function smsSize(text: string, rules: SegmentRules): SmsSize {
  const characters = [...text];
  const isGsm = characters.every((one) => BASIC.has(one) || (rules.extensionTable && EXTENSION.has(one)));
  const alphabet = isGsm ? 'gsm7' : 'ucs2';
  const placesOf = (one: string): number => (isGsm ? (EXTENSION.has(one) ? 2 : 1) : one.length);
  const places = characters.reduce((sum, one) => sum + placesOf(one), 0);
  if (places <= SINGLE[alphabet]) return { alphabet, places, segments: 1 };
  // A character of two places is never divided between two segments.
  const parts = rules.cutsAtSpaces
    ? wordsOf(text).map((word) => [...word].reduce((sum, one) => sum + placesOf(one), 0))
    : characters.map(placesOf);
  return { alphabet, places, segments: countSegments(parts, rules.perSegment[alphabet]) };
}

export const fitsSms = (text: string, rules: SegmentRules = STRICT_SEGMENTS): boolean =>
  smsSize(text, rules).segments <= MAX_SEGMENTS;

/** Each word keeps the space behind it. */
const wordsOf = (text: string): string[] => text.match(/[^ ]* |[^ ]+$/g) ?? [];

function countSegments(parts: readonly number[], perSegment: number): number {
  let segments = 1;
  let filled = 0;
  for (const part of parts) {
    if (part > perSegment) return Number.POSITIVE_INFINITY;
    if (filled + part > perSegment) {
      segments += 1;
      filled = 0;
    }
    filled += part;
  }
  return segments;
}

/** What Unicode's compatibility forms and the removal of accents do not turn into plain letters. */
const REPLACED: ReadonlyMap<string, string> = new Map([
  ...[...'‘’‚‛′´`ʼ'].map((one) => [one, "'"] as const),
  ...[...'“”„‟″«»'].map((one) => [one, '"'] as const),
  ...[...'‐‑‒–—―−·•∙◦▪'].map((one) => [one, '-'] as const),
  ['…', '...'],
  ['×', 'x'],
  ['÷', '/'],
  ['⁄', '/'],
  ['°', 'o'],
  ['©', '(c)'],
  ['®', '(R)'],
  ['€', 'EUR'],
  ['¿', ''],
  ['¡', ''],
  ['ß', 'ss'],
  ['Æ', 'AE'],
  ['æ', 'ae'],
  ['Œ', 'OE'],
  ['œ', 'oe'],
  ['Ø', 'O'],
  ['ø', 'o'],
  ['Đ', 'D'],
  ['đ', 'd'],
  ['Ł', 'L'],
  ['ł', 'l'],
  ['ı', 'i'],
]);

/** Symbols and pictures, invisible characters, and halves of characters. */
const REMOVED =
  /[\p{So}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Me}\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Variation_Selector}]/u;

/**
 * Writes a Portuguese text in the 7-bit alphabet: without accents, with straight quotes and plain dashes, without emoji.
 * All accents are removed, also the few that the alphabet has, because carriers treat them differently. Printable ASCII
 * stays as it is, so links stay whole. Letters of other scripts stay too, because a text without them would say
 * something else; it is then sent in 16 bits.
 */
export function foldForSms(text: string): string {
  const plain = text
    .replace(/([nN])[º°]/g, '$1.')
    // A letter of another script keeps its marks.
    .normalize('NFD')
    .replace(/([\p{Script=Latin}\p{Script=Common}])\p{Mn}+/gu, '$1')
    .normalize('NFC');
  let folded = '';
  for (const one of plain) {
    const replaced = REPLACED.get(one);
    if (replaced !== undefined) folded += replaced;
    // Most characters are printable ASCII, which stays; the tests below take long.
    else if (one >= ' ' && one <= '~') folded += one;
    else if (one === '\t' || /\p{Zs}/u.test(one)) folded += ' ';
    else if (/[\r\n\p{Zl}\p{Zp}]/u.test(one)) folded += '\n';
    else if (!REMOVED.test(one)) folded += foldCompatible(one);
  }
  return folded
    .split('\n')
    .map((line) => line.split(' ').filter(Boolean).join(' '))
    .filter(Boolean)
    .join('\n');
}

/** `ª` is an `a` and `ﬁ` is `fi`; what has no such form in the alphabet stays. */
function foldCompatible(one: string): string {
  const compatible = one
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace('⁄', '/');
  return compatible !== '' && [...compatible].every((part) => part >= ' ' && part <= '~') ? compatible : one;
}
