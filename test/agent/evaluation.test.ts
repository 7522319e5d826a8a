import { describe, expect, it } from '@jest/globals';
import {
  CORPUS_TODAY,
  corpusSha256,
  isBusinessDay,
  readCorpus,
  readTestSplit,
  TEST_SPLITS,
  type Utterance,
} from '../../scripts/agent-training/corpus.ts';
import { trainIntentModel } from '../../scripts/agent-training/trainer.ts';
import { intentModel } from '../../src/adapters/agent/rules/intent-model.ts';
import { understandByRules } from '../../src/adapters/agent/rules/understand.ts';
import type { Intent } from '../../src/domain/intents.ts';

const CONVERSATION = { debtId: 'eval', debtorName: 'Ana', today: CORPUS_TODAY, isBusinessDay, turns: [] };

describe('the committed model', () => {
  it('is what the committed corpus gives', () => {
    const model = intentModel();
    expect(model.corpusSha256).toBe(corpusSha256());
    const trained = trainIntentModel(readCorpus(), corpusSha256());
    expect(Buffer.compare(Buffer.from(trained.weights.buffer), Buffer.from(model.weights))).toBe(0);
    // Trains for some ten seconds on an idle core.
  }, 180_000);

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
