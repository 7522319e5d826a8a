import type { Intent } from '../../../debts/rules/intents.ts';
import { familiesOf } from '../lexicon/lexicon.ts';

/** The intents that have patterns. The order is part of the model: it decides the order of the features. */
const INTENTS_WITH_PATTERNS: readonly Intent[] = [
  'wrong_person',
  'dispute',
  'hardship',
  'human',
  'already_paid',
  'negotiate',
  'wants_to_pay',
  'promise',
  'question',
  'other',
];

/** Patterns over normalised text. They are one of the compared methods, and features of the classifier. */
const HAND_RULES = INTENTS_WITH_PATTERNS.flatMap((intent) =>
  familiesOf(`intent-${intent.replaceAll('_', '-')}`).map(({ name, source }) => ({
    intent,
    name,
    pattern: new RegExp(source()),
  })),
);

/**
 * The intents by the harm that a misreading does, the worst first: a debtor whose request for silence is missed gets
 * unlawful messages, while a missed question costs one more message.
 */
export const PRIORITY: readonly Intent[] = [
  'opt_out',
  'wrong_person',
  'dispute',
  'hardship',
  'human',
  'already_paid',
  'promise',
  'negotiate',
  'wants_to_pay',
  'question',
  'other',
];

export const ruleHits = (normal: string): { readonly intent: Intent; readonly name: string }[] =>
  HAND_RULES.filter((rule) => rule.pattern.test(normal)).map(({ intent, name }) => ({ intent, name }));

export const intentByHandRules = (normal: string): Intent => {
  const hits = new Set(ruleHits(normal).map((hit) => hit.intent));
  return PRIORITY.find((intent) => hits.has(intent)) ?? 'other';
};
