import { familiesOf } from '../lexicon/lexicon.ts';
import { ruleHits } from './hand-rules.ts';

/** The files in the order in which their classes are tried: the first class that fits is the one of the word. */
const FILES = ['people', 'debt', 'hardship', 'payment', 'contact'];

const CLASSES = FILES.flatMap((file) => familiesOf(`word-classes-${file}`)).map(({ name, wholeSource }) => ({
  name,
  pattern: new RegExp(wholeSource()),
}));

const known = new Map<string, string | null>();

const classOf = (word: string): string | null => {
  const before = known.get(word);
  if (before !== undefined) return before;
  const found = CLASSES.find(({ pattern }) => pattern.test(word))?.name ?? null;
  // The map is bounded because debtors decide which words there are.
  if (known.size < 20_000) known.set(word, found);
  return found;
};

/** Returns which classes of words a message contains, and which of them stand near before which. */
const classFeatures = (words: readonly string[]): string[] => {
  const classes = words.map(classOf).filter((found) => found !== null);
  const out = classes.map((found) => `k:${found}`);
  for (let i = 0; i < classes.length; i += 1)
    for (let j = i + 1; j < Math.min(classes.length, i + 4); j += 1) out.push(`K:${classes[i]}>${classes[j]}`);
  return out;
};

export const BUCKETS = 1 << 16;

const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value ^ (value >>> 15)) & (BUCKETS - 1);
};

const digitsHidden = (word: string): string => word.replace(/\d+/g, (digits) => (digits.length > 2 ? '000' : '0'));

const wordFeatures = (words: readonly string[]): string[] => {
  const out: string[] = [];
  words.forEach((word, i) => {
    out.push(`w:${word}`, `b:${words[i - 1] ?? '^'} ${word}`);
    if (i > 0) out.push(`s:${words[i - 2] ?? '^'} ${word}`);
  });
  out.push(`b:${words.at(-1) ?? '^'} $`, `f:${words.slice(0, 2).join(' ')}`);
  return out;
};

/** Runs of three to five letters of each word, edges included. A misspelt word keeps most of them. */
const letterFeatures = (words: readonly string[]): string[] => {
  const out: string[] = [];
  for (const word of words) {
    const edged = `<${word}>`;
    for (let size = 3; size <= 5; size += 1) {
      for (let i = 0; i + size <= edged.length; i += 1) out.push(`c:${edged.slice(i, i + size)}`);
    }
  }
  return out;
};

const shapeFeatures = (normal: string, words: readonly string[]): string[] => [
  `n:${Math.min(8, words.length)}`,
  normal.includes('?') ? 'q:1' : 'q:0',
];

export interface FeatureVector {
  readonly index: Int32Array;
  readonly value: Float32Array;
}

const WEIGHT: Readonly<Record<string, number>> = {
  w: 1.5,
  b: 1.2,
  s: 0.8,
  f: 0.8,
  c: 0.5,
  n: 0.5,
  q: 0.8,
  r: 2,
  R: 2,
  k: 1.2,
};

/**
 * Returns a unit vector of hashed features: words, pairs of words, letters, classes of words, and matching hand rules.
 */
export const featuresOf = (normal: string): FeatureVector => {
  const words = normal
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, 120)
    .map(digitsHidden);
  const names = [
    ...wordFeatures(words),
    ...letterFeatures(words),
    ...classFeatures(words),
    ...shapeFeatures(normal, words),
    ...ruleHits(normal).flatMap(({ intent, name }) => [`r:${name}`, `R:${intent}`]),
  ];
  const values = new Map<number, number>();
  for (const name of names) values.set(hash(name), WEIGHT[name[0]!] ?? 1);
  const norm = Math.sqrt([...values.values()].reduce((sum, value) => sum + value * value, 0)) || 1;
  return {
    index: Int32Array.from(values.keys()),
    value: Float32Array.from([...values.values()], (value) => value / norm),
  };
};
