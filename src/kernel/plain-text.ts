// Control characters and lone surrogates, line separators, format characters (which change the direction of the text
// around them or have no width), blank fillers, variation selectors, and U+FFFD, which replaces a character that a
// wrong encoding has lost.
const INVISIBLE =
  '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u2800\\u3164\\uFE00-\\uFE0D\\uFFA0\\uFFFD\\u{E0100}-\\u{E01EF}';
// After a symbol, these selectors decide whether it is drawn in colour; after any other character they are invisible.
const STRAY_SELECTOR = '(?<!\\p{Extended_Pictographic})[\\uFE0E\\uFE0F]';
const UNSAFE = new RegExp(`[${INVISIBLE}]|${STRAY_SELECTOR}`, 'u');
const UNSAFE_RUNS = new RegExp(`(?:[${INVISIBLE}]|${STRAY_SELECTOR})+`, 'gu');

const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

/**
 * Returns one trimmed line of text; null for a value that is no text, is unsafe, or has not `min` to `max` characters.
 */
export const plainText = (value: unknown, min: number, max: number): string | null => {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (text.length < min || text.length > 2 * max || UNSAFE.test(text)) return null;
  const length = codePoints(text);
  return length >= min && length <= max ? text : null;
};

/**
 * Makes such a line from a text of somebody else: unsafe characters become a space, and everything beyond `max`
 * characters is cut off. The result may be empty.
 */
export const toPlainText = (value: string, max: number): string => {
  const text = value
    .slice(0, 8 * max)
    .replace(UNSAFE_RUNS, ' ')
    .trim();
  return [...text].slice(0, max).join('').trim();
};
