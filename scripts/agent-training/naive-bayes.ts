import { BUCKETS, featuresOf } from '../../src/modules/agent/adapters/rules/features.ts';
import { CLASSIFIED_INTENTS as INTENTS } from '../../src/modules/agent/adapters/rules/intent-model.ts';
import { readable } from '../../src/modules/agent/adapters/rules/spelling.ts';
import type { Intent } from '../../src/modules/debts/rules/intents.ts';
import type { Utterance } from './corpus.ts';

/** The method for comparison: multinomial naive Bayes over the same features. */
export const trainNaiveBayes = (utterances: readonly Utterance[]): ((text: string) => Intent) => {
  const counts = INTENTS.map(() => new Float64Array(BUCKETS).fill(0.05));
  const prior = INTENTS.map(() => 1);
  for (const { text, intent } of utterances) {
    const row = INTENTS.indexOf(intent);
    prior[row]! += 1;
    for (const at of featuresOf(readable(text)).index) counts[row]![at]! += 1;
  }
  const totals = counts.map((row) => row.reduce((sum, count) => sum + count, 0));
  return (text) => {
    const { index } = featuresOf(readable(text));
    const scores = INTENTS.map((_, row) =>
      index.reduce((sum, at) => sum + Math.log(counts[row]![at]! / totals[row]!), Math.log(prior[row]!)),
    );
    return INTENTS[scores.indexOf(Math.max(...scores))]!;
  };
};
