const BASE = 36;

/** Decodes an `xn--` label, given without its prefix (RFC 3492); returns null when the label is malformed. */
export const decodePunycode = (encoded: string): string | null => {
  const delimiter = encoded.lastIndexOf('-');
  const output = [...encoded.slice(0, Math.max(delimiter, 0))].map((character) => character.charCodeAt(0));
  let codePoint = 128;
  let index = 0;
  let bias = 72;
  for (let position = delimiter + 1; position < encoded.length; ) {
    const start = index;
    for (let weight = 1, threshold = BASE; ; threshold += BASE) {
      const digit = digitOf(encoded.charCodeAt(position));
      position += 1;
      if (digit === null) return null;
      index += digit * weight;
      const limit = Math.min(Math.max(threshold - bias, 1), 26);
      if (digit < limit) break;
      weight *= BASE - limit;
      if (weight > 0x7fffffff) return null;
    }
    const length = output.length + 1;
    bias = adapt(index - start, length, start === 0);
    codePoint += Math.floor(index / length);
    index %= length;
    if (codePoint > 0x10ffff) return null;
    output.splice(index, 0, codePoint);
    index += 1;
  }
  return String.fromCodePoint(...output);
};

const digitOf = (code: number): number | null => {
  if (code >= 97 && code <= 122) return code - 97;
  return code >= 48 && code <= 57 ? code - 22 : null;
};

const adapt = (delta: number, length: number, first: boolean): number => {
  let rest = Math.floor(delta / (first ? 700 : 2));
  rest += Math.floor(rest / length);
  let bias = 0;
  for (; rest > 455; bias += BASE) rest = Math.floor(rest / 35);
  return bias + Math.floor((36 * rest) / (rest + 38));
};
