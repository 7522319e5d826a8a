import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import {
  CORPUS_TODAY,
  isBusinessDay,
  readCorpus,
  readTestSplit,
  TEST_SPLITS,
  type Utterance,
} from '../../scripts/agent-training/corpus.ts';
import { understandByRules } from '../../src/modules/agent/adapters/rules/understand.ts';
import type { Intent } from '../../src/modules/debts/rules/intents.ts';

const CONVERSATION = { debtId: 'eval', debtorName: 'Ana', today: CORPUS_TODAY, isBusinessDay, turns: [] };

describe('the committed model', () => {
  it('is what the committed corpus gives', async () => {
    // In a process of its own: within jest's modules the same training takes several times as long.
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/train-agent.ts', '--check']);
    expect(stdout).toMatch(/is what the corpus gives/);
  });

  it('was trained on at least 600 utterances, none of them of the test splits', () => {
    const corpus = new Set(readCorpus().map(({ text }) => text));
    expect(corpus.size).toBeGreaterThanOrEqual(600);
    const held = TEST_SPLITS.flatMap(readTestSplit).filter(({ text }) => corpus.has(text));
    // What everybody writes the same way.
    expect(held.map(({ text }) => text.length).every((length) => length < 40)).toBe(true);
  });
});

const judgedOf = (split: readonly Utterance[]) =>
  split.map((utterance) => ({ ...utterance, got: understandByRules(utterance.text, CONVERSATION) }));

describe.each(TEST_SPLITS)('on the %s test split', (name) => {
  it('understands at least nine of ten', () => {
    const judged = judgedOf(readTestSplit(name));
    expect(judged.filter(({ intent, got }) => got.intent === intent).length / judged.length).toBeGreaterThanOrEqual(
      0.9,
    );
  });
});

describe('on all test splits', () => {
  const judged = judgedOf(TEST_SPLITS.flatMap(readTestSplit));
  const recall = (intent: Intent): number => {
    const real = judged.filter((each) => each.intent === intent);
    return real.filter(({ got }) => got.intent === intent).length / real.length;
  };

  it('obeys every request for silence and invents none', () => {
    expect(recall('opt_out')).toBe(1);
    expect(judged.filter(({ intent, got }) => got.intent === 'opt_out' && intent !== 'opt_out')).toEqual([]);
  });

  it.each(['dispute', 'wrong_person', 'hardship'] as const)('finds at least nine of ten of %s', (intent) => {
    expect(recall(intent)).toBeGreaterThanOrEqual(0.9);
  });

  it('reads the dates', () => {
    const wrong = judged.filter(({ date, got }) => date !== undefined && got.intent === 'promise' && got.date !== date);
    expect(wrong).toEqual([]);
  });
});
