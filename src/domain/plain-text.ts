// Control and half characters, line separators, what turns the direction of the text around it, and U+FFFD: what stands
// where a character was lost to a wrong encoding.
const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\uFFFD]/u;

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
