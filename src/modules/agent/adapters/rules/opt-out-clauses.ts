import { familiesOf } from '../lexicon/lexicon.ts';

const CLAUSES = new Map(familiesOf('opt-out-clauses').map(({ name, source }) => [name, new RegExp(source())]));

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
