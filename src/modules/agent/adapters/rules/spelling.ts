import { normalizePortuguese } from '../../../../kernel/portuguese-text.ts';
import { familiesOf } from '../lexicon/lexicon.ts';

const words = new Map(familiesOf('spelling').map(({ name, entries }) => [name, entries]));

/** Words on which a rule depends. A word that is one slip away from exactly one of them becomes that one. */
const KEY_WORDS = words.get('key-words') ?? [];

/** Common words that are one slip away from a key word and mean themselves. */
const THEMSELVES = new Set(words.get('themselves'));

const isOneSlip = (word: string, key: string): boolean => {
  const difference = word.length - key.length;
  if (difference > 1 || difference < -1) return false;
  let start = 0;
  while (start < word.length && word[start] === key[start]) start += 1;
  let end = 0;
  while (end < Math.min(word.length, key.length) - start && word[word.length - 1 - end] === key[key.length - 1 - end])
    end += 1;
  const left = word.slice(start, word.length - end);
  const right = key.slice(start, key.length - end);
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
};

const KEYS = new Set(KEY_WORDS);

const correct = (word: string): string => {
  if (word.length < 5 || KEYS.has(word) || THEMSELVES.has(word) || /\d/.test(word)) return word;
  const near = KEY_WORDS.filter((key) => isOneSlip(word, key));
  return near.length === 1 ? near[0]! : word;
};

/** Brings a text to the form that every rule and the classifier read. */
export const readable = (text: string): string => normalizePortuguese(text).split(' ').map(correct).join(' ');
