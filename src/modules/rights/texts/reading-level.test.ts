import { describe, expect, it } from '@jest/globals';
import { CHANNEL_NAMES, RIGHTS_TEXTS } from './rights-page.ts';

/** The sentences of the page. A function gets a short word for each of its values. */
function sentencesIn(texts: unknown): string[] {
  if (typeof texts === 'string') return texts.split(/(?<=[.!?:])\s+/).filter((sentence) => /\s/.test(sentence.trim()));
  if (typeof texts === 'function') return sentencesIn(String(texts('dia', 'dia')));
  if (typeof texts !== 'object' || texts === null) return [];
  return Object.values(texts).flatMap(sentencesIn);
}

/** Laws have the names that they have, and what stands in brackets names only them. */
const withoutLaws = (sentence: string): string => sentence.replaceAll(/\([^)]*\)/g, '');

const wordsOf = (sentence: string): string[] => withoutLaws(sentence).match(/\p{L}+/gu) ?? [];

/** In Portuguese each group of vowels is about one syllable; two strong vowels beside each other are two. */
function syllablesOf(word: string): number {
  const plain = word.toLowerCase().normalize('NFD').replaceAll(/[̀-̂̄-ͯ]/g, '');
  const groups = plain.match(/[aeiouy]+/g) ?? [];
  const strong = groups.reduce((sum, group) => sum + Math.max(0, (group.match(/[aeo]/g)?.length ?? 0) - 1), 0);
  return Math.max(1, groups.length + strong);
}

/** Flesch's index for Portuguese (Martins, Ghiraldelo, Nunes and Oliveira, 1996): 50 to 75 is easy, from 11 years on. */
function fleschOf(sentences: readonly string[]): number {
  const words = sentences.flatMap(wordsOf);
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0);
  return 248.835 - 1.015 * (words.length / sentences.length) - 84.6 * (syllables / words.length);
}

describe('the words of the page of rights', () => {
  const sentences = sentencesIn(RIGHTS_TEXTS);

  it('are easy for a reader of twelve years', () => {
    expect(sentences.length).toBeGreaterThan(80);
    expect(fleschOf(sentences)).toBeGreaterThanOrEqual(60);
  });

  it('stand in short sentences', () => {
    expect(sentences.filter((sentence) => wordsOf(sentence).length > 25)).toEqual([]);
  });

  it('are measured by an index that knows hard texts', () => {
    const law =
      'A confirmação de existência ou o acesso a dados pessoais serão providenciados mediante requisição do titular, por meio de declaração clara e completa que indique a origem dos dados, a inexistência de registro, os critérios utilizados e a finalidade do tratamento.';
    expect(fleschOf([law])).toBeLessThan(40);
  });

  it('name every channel', () => {
    expect(Object.values(CHANNEL_NAMES).every((name) => name !== '')).toBe(true);
  });
});
