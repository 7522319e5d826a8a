import { readFileSync, writeFileSync } from 'node:fs';
import { corpusSha256, readCorpus } from './agent-training/corpus.ts';
import { trainIntentModel } from './agent-training/trainer.ts';

const TARGET = new URL('../src/modules/agent/adapters/rules/intent-model.json', import.meta.url);

const model = trainIntentModel(readCorpus(), corpusSha256());
const file = {
  corpusSha256: model.corpusSha256,
  scale: model.scale,
  bias: model.bias.map((value) => value.toFixed(5)).join(' '),
  weights: Buffer.from(model.weights.buffer).toString('base64'),
};
const text = `${JSON.stringify(file, null, 2)}\n`;
if (process.argv.includes('--check')) {
  const same = readFileSync(TARGET, 'utf8') === text;
  process.stdout.write(
    same ? 'The model is what the corpus gives\n' : 'The model is not what the corpus gives: npm run train\n',
  );
  process.exitCode = same ? 0 : 1;
} else {
  writeFileSync(TARGET, text);
  process.stdout.write(`Trained on corpus ${model.corpusSha256.slice(0, 12)}\n`);
}
