import { BUCKETS, type FeatureVector, featuresOf } from '../../src/modules/agent/adapters/rules/features.ts';
import type { IntentModel } from '../../src/modules/agent/adapters/rules/intent-model.ts';
import { CLASSIFIED_INTENTS as INTENTS } from '../../src/modules/agent/adapters/rules/intent-model.ts';
import { readable } from '../../src/modules/agent/adapters/rules/spelling.ts';
import { createNumbers } from '../random-numbers.ts';
import type { Utterance } from './corpus.ts';
import { joinTexts, misspell } from './misspell.ts';

const EPOCHS = 12;
const COPIES = 4;
/** The share of copies that are joined with small talk, which must not change the intent. */
const SMALL_TALK_SHARE = 0.5;
const RATE = 0.6;
/**
 * The value is high: without it the results of the folds do not change, but those on messages of other writers are
 * worse.
 */
const DECAY = 5e-4;

interface Sample {
  readonly features: FeatureVector;
  readonly label: number;
}

const samplesOf = (utterances: readonly Utterance[], random: () => number): Sample[] => {
  const smallTalk = utterances.filter(({ text, intent }) => intent === 'other' && text.length < 60);
  const copyOf = ({ text, intent }: Utterance): string => {
    const copy = misspell(text, random);
    if (intent === 'other' || smallTalk.length === 0 || random() >= SMALL_TALK_SHARE) return copy;
    return joinTexts(copy, misspell(smallTalk[Math.floor(random() * smallTalk.length)]!.text, random), random);
  };
  return utterances.flatMap((utterance) => {
    const texts = [utterance.text, ...Array.from({ length: COPIES }, () => copyOf(utterance))];
    return texts.map((each) => ({ features: featuresOf(readable(each)), label: INTENTS.indexOf(utterance.intent) }));
  });
};

const shuffle = <T>(items: T[], random: () => number): void => {
  for (let i = items.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
};

/** Multinomial logistic regression by AdaGrad; the same corpus gives the same bytes. */
export const trainIntentModel = (utterances: readonly Utterance[], sha256: string): IntentModel => {
  const random = createNumbers(20261118);
  const samples = samplesOf(utterances, random);
  const rows = INTENTS.length;
  // The weights of one bucket stand together, because each step reads all of them.
  const weights = new Float64Array(rows * BUCKETS);
  const squares = new Float64Array(rows * BUCKETS).fill(1e-2);
  const bias = new Float64Array(rows);
  const power = new Float64Array(rows);
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    shuffle(samples, random);
    for (const { features, label } of samples) {
      const { index, value } = features;
      power.set(bias);
      for (let i = 0; i < index.length; i += 1) {
        const at = index[i]! * rows;
        for (let row = 0; row < rows; row += 1) power[row]! += weights[at + row]! * value[i]!;
      }
      const highest = Math.max(...power);
      let total = 0;
      for (let row = 0; row < rows; row += 1) total += power[row] = Math.exp(power[row]! - highest);
      for (let row = 0; row < rows; row += 1) {
        const error = power[row]! / total - (row === label ? 1 : 0);
        if (Math.abs(error) < 1e-3) continue;
        bias[row]! -= 0.02 * error;
        for (let i = 0; i < index.length; i += 1) {
          const at = index[i]! * rows + row;
          const gradient = error * value[i]! + DECAY * weights[at]!;
          squares[at]! += gradient * gradient;
          weights[at]! -= (RATE * gradient) / Math.sqrt(squares[at]!);
        }
      }
    }
  }
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
  const scale = largest / 127;
  return {
    corpusSha256: sha256,
    scale,
    bias: [...bias],
    weights: Int8Array.from(weights, (_, at) =>
      Math.round(weights[(at % BUCKETS) * rows + Math.floor(at / BUCKETS)]! / scale),
    ),
  };
};
