// Control and half characters, line separators, format characters (what turns the direction of the text around it, and
// what takes no room), fillers that look like nothing, selectors of variants, and U+FFFD: what stands where a character
// was lost to a wrong encoding.
const UNSEEN =
  '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u2800\\u3164\\uFE00-\\uFE0D\\uFFA0\\uFFFD\\u{E0100}-\\u{E01EF}';
// Of a symbol these say whether it is drawn in colour; after anything else they are not seen.
const STRAY_SELECTOR = '(?<!\\p{Extended_Pictographic})[\\uFE0E\\uFE0F]';
const UNSAFE = new RegExp(`[${UNSEEN}]|${STRAY_SELECTOR}`, 'u');
const UNSAFE_RUNS = new RegExp(`(?:[${UNSEEN}]|${STRAY_SELECTOR})+`, 'gu');

const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

/** One line of text, trimmed; null when it is none, holds what no name holds, or has not `min` to `max` characters. */
export const plainText = (value: unknown, min: number, max: number): string | null => {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (text.length < min || text.length > 2 * max || UNSAFE.test(text)) return null;
  const length = codePoints(text);
  return length >= min && length <= max ? text : null;
};

/** What others wrote, made into one such line: what no name holds becomes a space, and the end is cut off. Maybe empty. */
export const toPlainText = (value: string, max: number): string => {
  const text = value
    .slice(0, 8 * max)
    .replace(UNSAFE_RUNS, ' ')
    .trim();
  return [...text].slice(0, max).join('').trim();
};
