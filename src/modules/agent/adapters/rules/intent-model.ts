import { readFileSync } from 'node:fs';
import { INTENTS, type Intent } from '../../../debts/rules/intents.ts';
import { BUCKETS, featuresOf } from './features.ts';

/** The intents that the classifier tells apart. The order is the one of the rows of its weights. */
export const CLASSIFIED_INTENTS: readonly Intent[] = INTENTS.filter(
  (intent) => intent !== 'accept_offer' && intent !== 'propose',
);

/** A linear classifier with one row of weights for each intent. A weight is a whole number of steps of `scale`. */
export interface IntentModel {
  readonly corpusSha256: string;
  readonly scale: number;
  readonly bias: readonly number[];
  readonly weights: Int8Array;
}

export interface Ranked {
  readonly intent: Intent;
  readonly probability: number;
}

interface ModelFile {
  readonly corpusSha256: string;
  readonly scale: number;
  readonly bias: string;
  readonly weights: string;
}

const readModel = (): IntentModel => {
  const file = JSON.parse(readFileSync(new URL('./intent-model.json', import.meta.url), 'utf8')) as ModelFile;
  const bytes = Buffer.from(file.weights, 'base64');
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (weights.length !== BUCKETS * CLASSIFIED_INTENTS.length)
    throw new Error('intent-model.json is not of this version: npm run train');
  return { corpusSha256: file.corpusSha256, scale: file.scale, bias: file.bias.split(' ').map(Number), weights };
};

let loaded: IntentModel | null = null;

/** Returns the model. It is read at the first use, because it is half a megabyte and the API never needs it. */
export const intentModel = (): IntentModel => {
  loaded ??= readModel();
  return loaded;
};

export const rankIntents = (normal: string, model: IntentModel): Ranked[] => {
  const { index, value } = featuresOf(normal);
  const logits = CLASSIFIED_INTENTS.map((_, row) => {
    let sum = 0;
    for (let i = 0; i < index.length; i += 1) sum += model.weights[row * BUCKETS + index[i]!]! * value[i]!;
    return sum * model.scale + model.bias[row]!;
  });
  const highest = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return CLASSIFIED_INTENTS.map((intent, row) => ({ intent, probability: powers[row]! / total })).sort(
    (a, b) => b.probability - a.probability,
  );
};
