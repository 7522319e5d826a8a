import { familiesOf } from '../lexicon/lexicon.ts';

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
export const classFeatures = (words: readonly string[]): string[] => {
  const classes = words.map(classOf).filter((found) => found !== null);
  const out = classes.map((found) => `k:${found}`);
  for (let i = 0; i < classes.length; i += 1)
    for (let j = i + 1; j < Math.min(classes.length, i + 4); j += 1) out.push(`K:${classes[i]}>${classes[j]}`);
  return out;
};
