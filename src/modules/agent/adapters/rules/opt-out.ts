import { stripAccents } from '../../../../kernel/portuguese-text.ts';
import {
  isSilenceClause,
  isSilenceIdiom,
  isSpeltOutRequest,
  mentionsContact,
  silenceFamily,
  withoutNearMisses,
  withoutSentenceEnd,
} from './opt-out-patterns.ts';
import { readable } from './spelling.ts';

/**
 * These rules take precedence over the classifier: a message that asks for silence must be recognised, and a message
 * that does not ask must not silence the debtor.
 */

/** Brings a message to the form that the patterns of this folder read. */
const read = (text: string): string =>
  withoutSentenceEnd(
    readable(text)
      .replace(/ ?\?/g, '')
      .replace(/([rs])\1+\b/g, '$1')
      .replace(/\bbloqui(?=e)/g, 'bloqu')
      .replace(/\b(meu|esse|este) no\b/g, '$1 numero'),
  ).trim();

/** Matches a run of single letters (`p a r e m`), as people write to shout or to hide a word from filters. */
const SPELT = /(?<!\p{L})\p{L}(?:[ .*_-]{1,3}\p{L}){3,}(?!\p{L})/gu;
const isSpeltOut = (message: string): boolean =>
  (message.match(SPELT) ?? []).some((run) => isSpeltOutRequest(stripAccents(run.toLowerCase()).replace(/[^a-z]/g, '')));

const asks = (text: string): boolean => {
  const left = withoutNearMisses(text);
  return isSilenceIdiom(left) || silenceFamily(left) !== null;
};

/** Carriers teach the word END, which inside a longer message is short for `endereço`. */
const END_ALONE = /^[\W_]*end[\W_]*$/i;

/** Returns each part once, because a message may repeat the same sentence hundreds of times. */
const partsOf = (message: string, separator: RegExp): string[] => [...new Set(message.split(separator).map(read))];

/**
 * Judges the message as a whole and sentence by sentence. Clauses are judged one by one only for a bare `parem` and for
 * a negation at the end, because beyond a comma the negation denies something else. `without` cuts out of each part
 * what must not count as a request.
 */
export const asksForSilence = (message: string, without = (text: string): string => text): boolean =>
  asks(without(read(message))) ||
  isSpeltOut(message) ||
  END_ALONE.test(message) ||
  partsOf(message, /[\n.!?;:]+/).some((part) => asks(without(part))) ||
  partsOf(message, /[\n.!;:,]+/).some((part) => isSilenceClause(without(part)));

/** True when a message says enough about contact that the classifier alone may take it for a request for silence. */
export const speaksOfContact = (normal: string): boolean => mentionsContact(withoutNearMisses(normal));
