import { intentByHandRules } from '../src/modules/agent/adapters/rules/hand-rules.ts';
import { CLASSIFIED_INTENTS as INTENTS, rankIntents } from '../src/modules/agent/adapters/rules/intent-model.ts';
import { asksForSilence } from '../src/modules/agent/adapters/rules/opt-out.ts';
import { readable } from '../src/modules/agent/adapters/rules/spelling.ts';
import { understandByRules } from '../src/modules/agent/adapters/rules/understand.ts';
import type { Intent } from '../src/modules/debts/rules/intents.ts';
import type { Conversation } from '../src/modules/messaging/ports/collection-agent.ts';
import {
  CORPUS_TODAY,
  corpusSha256,
  isBusinessDay,
  readCorpus,
  readTestSplit,
  TEST_SPLITS,
  type Utterance,
} from './agent-training/corpus.ts';
import { trainNaiveBayes } from './agent-training/naive-bayes.ts';
import { trainIntentModel } from './agent-training/trainer.ts';
import { createNumbers } from './random-numbers.ts';

type Method = (text: string) => Intent;
interface Judged {
  readonly utterance: Utterance;
  readonly got: Intent;
}

const FOLDS = 5;
const CONVERSATION: Conversation = { debtId: 'eval', debtorName: 'Ana', today: CORPUS_TODAY, isBusinessDay, turns: [] };
const out = (line = ''): void => void process.stdout.write(`${line}\n`);
const percent = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)}`);

const handRules: Method = (text) => (asksForSilence(text) ? 'opt_out' : intentByHandRules(readable(text)));

const methodsFrom = (training: readonly Utterance[]): Record<string, Method> => {
  const model = trainIntentModel(training, '');
  return {
    'hand rules': handRules,
    'naive Bayes': trainNaiveBayes(training),
    linear: (text) => rankIntents(readable(text), model)[0]!.intent,
    'linear + rules': (text) => understandByRules(text, CONVERSATION, model).intent,
  };
};

const judge = (utterances: readonly Utterance[], method: Method): Judged[] =>
  utterances.map((utterance) => ({ utterance, got: method(utterance.text) }));

const accuracy = (judged: readonly Judged[]): string =>
  percent(judged.filter(({ utterance, got }) => utterance.intent === got).length, judged.length);

const printTable = (title: string, judged: readonly Judged[]): void => {
  out(`\n${title}: accuracy ${accuracy(judged)} % of ${judged.length}`);
  out('intent          count  recall  precision  taken for');
  for (const intent of INTENTS) {
    const real = judged.filter(({ utterance }) => utterance.intent === intent);
    const claimed = judged.filter(({ got }) => got === intent);
    const right = real.filter(({ got }) => got === intent).length;
    const wrong = INTENTS.map((other) => ({
      other,
      count: real.filter(({ got }) => got === other && other !== intent).length,
    }));
    const taken = wrong
      .filter(({ count }) => count > 0)
      .map(({ other, count }) => `${other} ${count}`)
      .join(', ');
    out(
      `${intent.padEnd(14)} ${String(real.length).padStart(6)} ${percent(right, real.length).padStart(7)} ${percent(right, claimed.length).padStart(10)}  ${taken}`,
    );
  }
};

const printMistakes = (judged: readonly Judged[]): void => {
  for (const { utterance, got } of judged)
    if (got !== utterance.intent) out(`  ${utterance.intent} -> ${got}: ${utterance.text.replaceAll('\n', ' / ')}`);
};

const printDates = (utterances: readonly Utterance[]): void => {
  const dated = utterances.filter(({ date }) => date !== undefined);
  const wrong = dated.filter(({ text, date }) => {
    const understood = understandByRules(text, CONVERSATION);
    return understood.intent === 'promise' && understood.date !== date;
  });
  out(`dates right: ${percent(dated.length - wrong.length, dated.length)} % of ${dated.length}`);
  for (const { text, date } of wrong) out(`  ${text}: expected ${date}`);
};

const crossValidate = (corpus: readonly Utterance[]): Map<string, Judged[]> => {
  const random = createNumbers(7);
  const fold = corpus.map(() => Math.floor(random() * FOLDS));
  const all = new Map<string, Judged[]>();
  for (let k = 0; k < FOLDS; k += 1) {
    const methods = methodsFrom(corpus.filter((_, i) => fold[i] !== k));
    const held = corpus.filter((_, i) => fold[i] === k);
    for (const [name, method] of Object.entries(methods))
      all.set(name, [...(all.get(name) ?? []), ...judge(held, method)]);
  }
  return all;
};

const corpus = readCorpus();
const verbose = process.argv.includes('--mistakes');
out(`Corpus ${corpus.length} utterances, sha256 ${corpusSha256().slice(0, 12)}`);

const folds = crossValidate(corpus);
out(`\n${FOLDS}-fold on the corpus`);
for (const [name, judged] of folds) out(`  ${name.padEnd(16)} ${accuracy(judged)} %`);
const shipped = folds.get('linear + rules')!;
printTable(`${FOLDS}-fold, linear + rules`, shipped);
if (verbose) printMistakes(shipped);

const methods = methodsFrom(corpus);
for (const name of TEST_SPLITS) {
  const split = readTestSplit(name);
  const title = `Test split ${name}`;
  out(`\n${title}`);
  for (const [method, judgeBy] of Object.entries(methods))
    out(`  ${method.padEnd(16)} ${accuracy(judge(split, judgeBy))} %`);
  const judged = judge(split, methods['linear + rules']!);
  printTable(`${title}, linear + rules`, judged);
  printMistakes(judged);
  printDates(split);
}
