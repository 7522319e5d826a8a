import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { normalizePortuguese } from '../../../../kernel/portuguese-text.ts';
import { familiesOf } from './lexicon.ts';

/**
 * For every family of every lexicon file, `examples/<file>.txt` lists texts that the family must match (`+`) and near
 * misses that it must not match (`-`).
 */
const FOLDER = new URL('./', import.meta.url);
const EXAMPLES = new URL('./examples/', FOLDER);
/** The entries of these files are words and not parts of a message: they must match a text from beginning to end. */
const WORDS = /^(?:words-|word-classes-|spelling)/;

interface Example {
  readonly family: string;
  readonly text: string;
  readonly isMatch: boolean;
}

const textFilesIn = (folder: URL): string[] => readdirSync(folder).filter((name) => name.endsWith('.txt'));

const examplesOf = (file: string): Example[] => {
  let family = '';
  return readFileSync(new URL(file, EXAMPLES), 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.endsWith(':')) family = line.slice(0, -1);
      return /^[+-] /.test(line) ? [{ family, text: line.slice(2), isMatch: line.startsWith('+') }] : [];
    });
};

const files = textFilesIn(FOLDER);

it('has examples for every file', () => {
  expect(textFilesIn(EXAMPLES)).toEqual(files);
});

describe.each(files)('%s', (file) => {
  const families = familiesOf(file.replace('.txt', ''));
  const examples = examplesOf(file);
  const patterns = new Map(
    families.map(({ name, source, wholeSource }) => [name, new RegExp(WORDS.test(file) ? wholeSource() : source())]),
  );

  it.each(families.map(({ name }) => name))('%s has examples and near misses', (name) => {
    const own = examples.filter(({ family }) => family === name);
    expect(own.filter(({ isMatch }) => isMatch).length).toBeGreaterThanOrEqual(2);
    expect(own.filter(({ isMatch }) => !isMatch).length).toBeGreaterThanOrEqual(2);
  });

  it.each(examples.filter(({ isMatch }) => isMatch))('$family matches "$text"', ({ family, text }) => {
    expect(patterns.get(family)?.test(normalizePortuguese(text))).toBe(true);
  });

  it.each(examples.filter(({ isMatch }) => !isMatch))('$family does not match "$text"', ({ family, text }) => {
    expect(patterns.get(family)?.test(normalizePortuguese(text))).toBe(false);
  });
});
