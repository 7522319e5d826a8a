import { expressionsOf, familiesOf } from '../lexicon/lexicon.ts';

/** The families in which Portuguese asks for silence. They read `readable` text from which near misses are cut out. */
const GRAMMAR = ['stop', 'refuse', 'want', 'remove'].flatMap((file) =>
  familiesOf(`opt-out-${file}`).flatMap(({ name, sources }) =>
    sources().map((source) => ({ family: name, pattern: new RegExp(source) })),
  ),
);

/** Returns the family by which a text asks for silence, and null when the text does not ask. */
export const silenceFamily = (text: string): string | null =>
  GRAMMAR.find(({ pattern }) => pattern.test(text))?.family ?? null;

const IDIOMS = ['opt-out-idioms', 'opt-out-threats'].flatMap((file) =>
  familiesOf(file).flatMap(({ sources }) => sources().map((source) => new RegExp(source))),
);

/** Idioms, commands, threats and the law: requests for silence that no grammar composes. */
export const isSilenceIdiom = (text: string): boolean => IDIOMS.some((pattern) => pattern.test(text));

const NEAR_MISSES = ['near-misses', 'near-misses-things'].flatMap((file) =>
  familiesOf(file).flatMap(({ sources }) => sources().map((source) => new RegExp(source, 'g'))),
);

/**
 * Cuts out what looks like a request for silence and is none, so that a request beside it is still found. A `~` takes
 * the place of each part. It is no word, so no pattern matches across what was cut out.
 */
export const withoutNearMisses = (text: string): string =>
  NEAR_MISSES.reduce((left, pattern) => left.replace(pattern, '~'), text);

const CLAUSES = expressionsOf('opt-out-clauses');

const clausePattern = (name: string): RegExp => {
  const pattern = CLAUSES.get(name);
  if (pattern === undefined) throw new Error(`opt-out-clauses.txt has no list ${name}`);
  return pattern;
};

const REFUSED_AFTERWARDS = clausePattern('refused-afterwards');
const ALONE = clausePattern('alone');
const CONTACT = clausePattern('speaks-of-contact');
const SENTENCE_END = clausePattern('sentence-end');
const SPELT_OUT = clausePattern('spelt-out');

/** True for a clause that is a bare `parem`, or that a negation closes (`me mande mais não`). */
export const isSilenceClause = (clause: string): boolean => ALONE.test(clause) || REFUSED_AFTERWARDS.test(clause);

/** True when a text contains anything that a request for silence may be made of. */
export const mentionsContact = (text: string): boolean => CONTACT.test(text);

/** Removes what people add to the end of a sentence (`por favor`, `obrigado`). */
export const withoutSentenceEnd = (text: string): string => text.replace(SENTENCE_END, '');

/** True for a request that was written letter by letter, once the blanks between its letters are removed. */
export const isSpeltOutRequest = (letters: string): boolean => SPELT_OUT.test(letters);
