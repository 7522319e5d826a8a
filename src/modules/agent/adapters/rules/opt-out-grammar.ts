import { familiesOf } from '../lexicon/lexicon.ts';

/** The families in which Portuguese asks for silence. They read `readable` text from which near misses are cut out. */
const PATTERNS = ['stop', 'refuse', 'want', 'remove'].flatMap((file) =>
  familiesOf(`opt-out-${file}`).flatMap(({ name, sources }) =>
    sources().map((source) => ({ family: name, pattern: new RegExp(source) })),
  ),
);

/** Returns the family by which a text asks for silence, and null when the text does not ask. */
export const silenceFamily = (text: string): string | null =>
  PATTERNS.find(({ pattern }) => pattern.test(text))?.family ?? null;
