import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Intent } from '../../src/modules/debts/rules/intents.ts';

/** `date` is absent when the date is not checked, and null when the text contains no date. */
export interface Utterance {
  readonly text: string;
  readonly intent: Intent;
  readonly date?: string | null;
}

const CORPUS = new URL('../../agent/corpus/utterances.jsonl', import.meta.url);
const TEST = new URL('../../agent/test/', import.meta.url);

/** The Wednesday on which every date of the corpus is read; the Friday after it is a holiday. */
export const CORPUS_TODAY = '2026-11-18';

const readLines = (file: URL): Utterance[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Utterance);

export const readCorpus = (): Utterance[] => readLines(CORPUS);
export const TEST_SPLITS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
] as const;
/** `first` was written before any training text; each other split was written after the last change of the method. */
export const readTestSplit = (split: (typeof TEST_SPLITS)[number]): Utterance[] =>
  readLines(new URL(`${split}.jsonl`, TEST));
export const corpusSha256 = (): string => createHash('sha256').update(readFileSync(CORPUS)).digest('hex');

const HOLIDAYS = new Set(['2026-11-20', '2026-12-25', '2027-01-01']);

export const isBusinessDay = (date: string): boolean => {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !HOLIDAYS.has(date);
};
