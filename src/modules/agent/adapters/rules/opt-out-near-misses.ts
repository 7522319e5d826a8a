import { familiesOf } from '../lexicon/lexicon.ts';

const PATTERNS = ['near-misses', 'near-misses-things'].flatMap((file) =>
  familiesOf(file).flatMap(({ sources }) => sources().map((source) => new RegExp(source, 'g'))),
);

/**
 * Cuts out what looks like a request for silence and is none, so that a request beside it is still found. A `~` takes
 * the place of each part. It is no word, so no pattern matches across what was cut out.
 */
export const withoutNearMisses = (text: string): string =>
  PATTERNS.reduce((left, pattern) => left.replace(pattern, '~'), text);
