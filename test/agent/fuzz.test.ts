import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { createNumbers } from '../../scripts/random-numbers.ts';
import { guardMessage } from '../../src/kernel/message-guard.ts';
import { ABBREVIATIONS } from '../../src/kernel/portuguese-text.ts';
import { createGuardedAgent } from '../../src/modules/agent/adapters/guarded/guarded-agent.ts';
import { redact } from '../../src/modules/agent/adapters/llm/redact.ts';
import { createRulesAgent } from '../../src/modules/agent/adapters/rules/rules-agent.ts';
import { understandByRules } from '../../src/modules/agent/adapters/rules/understand.ts';
import { createUnderstandingThreads } from '../../src/modules/agent/adapters/threads/understanding-threads.ts';
import { NotUnderstoodError } from '../../src/modules/messaging/ports/collection-agent.ts';
import { leastOf, longestTurn } from '../../testing/cpu-cost.ts';
import { opened } from '../../testing/opened.ts';
import { CONVERSATION, DEBT, UNDERSTOOD } from './support.ts';

/** Another seed, or more rounds, by hand: `FUZZ_SEED=7 FUZZ_ROUNDS=5000 npm test -- test/agent/fuzz.test.ts`. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 13);
const ROUNDS = Number(process.env['FUZZ_ROUNDS'] ?? 250);
const LENGTH = 4_096;
/** No text ends as an expression would like it to. */
const ENDINGS = [' zzq', '', ' ?', '!', ' não', ' 👍', '\n'];

const ROOT = new URL('../../', import.meta.url);
const LEXICON = new URL('src/modules/agent/adapters/lexicon/', ROOT);
const DOMAIN = ['date-expressions', 'portuguese-dates', 'portuguese-text', 'message-guard'].map(
  (name) => `src/kernel/${name}.ts`,
);

/** The code of a file without its comments, and the entries of a lexicon file without theirs. */
const contentOf = (file: string | URL): string =>
  readFileSync(new URL(file, ROOT), 'utf8').replace(/^\s*(?:\/\/|\/?\*|# ).*$/gm, '');

/** Every word and beginning of a word that stands in an expression or a word list of the agent, and the abbreviations. */
const lexicon = (): string[] => {
  const lists = readdirSync(LEXICON).filter((name) => name.endsWith('.txt'));
  const contents = [
    contentOf('src/modules/agent/adapters/rules/opt-out.ts'),
    ...DOMAIN.map(contentOf),
    ...lists.map((name) => contentOf(new URL(name, LEXICON))),
  ];
  const words = contents.flatMap((content) => content.replace(/\\[a-zA-Z]/g, ' ').match(/[a-z]+(?: [a-z]+)*/g) ?? []);
  return [...new Set([...words, ...ABBREVIATIONS.keys(), '👍', '🙏', '?', '10', 'r$', 'ﷺ', 'é'])].sort();
};

const fill = (unit: string, ending: string): string => {
  const room = LENGTH - ending.length;
  return unit.repeat(Math.ceil(room / unit.length)).slice(0, room) + ending;
};

/** Time of this thread alone: the machine's other work is not the message's. */
const cpuSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};

const cpuOf = (work: () => unknown): number => {
  const before = process.threadCpuUsage();
  work();
  return cpuSince(before);
};

const words: string[] = lexicon();
const threads = await opened(createUnderstandingThreads());
await threads.warmUp();

describe('any message of 4,096 characters', () => {
  const messages = function* (seed: number, rounds: number): Generator<string> {
    const random = createNumbers(seed);
    const any = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
    for (let round = 0; round < rounds; round += 1) {
      const length = 1 + Math.floor(random() * 3);
      const separator = any([' ', ' ', ' ', '. ', ',', '\n', '']);
      const unit = Array.from({ length }, () => any(words)).join(separator) + separator;
      yield fill(unit === '' ? 'a' : unit, any(ENDINGS));
    }
  };

  it('is read in a small part of the deadline', () => {
    for (const message of messages(SEED + 1, 8)) understandByRules(message, CONVERSATION);
    let slowest = { took: 0, message: '' };
    for (const message of messages(SEED, ROUNDS)) {
      const took = cpuOf(() => understandByRules(message, CONVERSATION));
      if (took > slowest.took) slowest = { took, message };
    }
    expect({ ...slowest, message: slowest.message.slice(0, 80), isShort: slowest.took < 500 }).toMatchObject({
      isShort: true,
    });
  });

  it('does not keep the event loop for 50 ms while it is understood and answered', async () => {
    const rules = createRulesAgent(threads);
    const agent = createGuardedAgent({ brain: rules, rules });
    const handle = async (message: string): Promise<void> => {
      // On a machine that is busy elsewhere a deadline may pass: the loop is as free as before.
      const understood = await agent.understand(message, CONVERSATION).catch((error: unknown) => {
        if (error instanceof NotUnderstoodError) return UNDERSTOOD;
        throw error;
      });
      const turns = [{ from: 'debtor' as const, text: message, at: 0 }];
      await agent.reply(understood, DEBT, { ...CONVERSATION, turns });
    };
    // What is compiled at its first uses is no part of what a message costs.
    for (const message of messages(SEED + 2, 4)) await handle(message);
    let busiest = { busy: 0, message: '' };
    for (const message of messages(SEED + 3, 60)) {
      const busy = await leastOf(50, () => longestTurn(() => handle(message)));
      if (busy > busiest.busy) busiest = { busy, message: message.slice(0, 80) };
    }
    expect({ ...busiest, isShort: busiest.busy < 50 }).toMatchObject({ isShort: true });
  });

  it('nor what a model wrote or reads of it', async () => {
    const short = async (work: () => unknown): Promise<void> =>
      expect(await leastOf(50, () => cpuOf(work))).toBeLessThan(50);
    const rules = { known: ['R$ 10,00'], required: [], mayDisclose: true, paid: false };
    for (const message of messages(SEED + 4, 8)) guardMessage(message.slice(0, 2_000), rules);
    for (const message of messages(SEED + 5, 100)) {
      await short(() => guardMessage(message.slice(0, 2_000), rules));
      await short(() => guardMessage(message.repeat(100), rules));
      await short(() => redact(message.slice(0, 1_000), 'Ana de Souza'));
    }
    for (const text of ['a'.repeat(1_000), 'a.'.repeat(500), '1 '.repeat(500), `000201${'1'.repeat(990)}`])
      await short(() => redact(text, 'Ana de Souza'));
  });
});
