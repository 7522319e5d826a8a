import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readCorpus, readTestSplit, TEST_SPLITS } from '../../scripts/agent-training/corpus.ts';
import { automaticWords } from '../../src/modules/agent/adapters/rules/automatic.ts';
import { createUnderstandingThreads } from '../../src/modules/agent/adapters/threads/understanding-threads.ts';
import { opened } from '../../testing/opened.ts';

const linesOf = (name: string): string[] =>
  readFileSync(new URL(`../../agent/automatic/${name}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
const judged = (texts: readonly string[]) => texts.map((text) => ({ text, ...automaticWords(text) }));

describe('the words of automatic answers', () => {
  const answers = linesOf('answers');
  const heldOut = linesOf('held-out');

  it.each(answers)('are recognised: %s', (text) => {
    expect(automaticWords(text)).toEqual({ automatic: 'yes', asksForSilence: false });
  });

  it('are recognised in most texts that the lists were not made for', () => {
    const found = judged(heldOut);
    expect(found.filter(({ automatic }) => automatic === 'yes').length / found.length).toBeGreaterThanOrEqual(0.6);
    expect(found.filter(({ automatic }) => automatic !== 'no').length / found.length).toBeGreaterThanOrEqual(0.75);
    expect(found.filter(({ asksForSilence }) => asksForSilence)).toEqual([]);
  });

  it.each(linesOf('silence'))('do not hide a request for silence: %s', (text) => {
    expect(automaticWords(text).asksForSilence).toBe(true);
  });
});

describe('what people wrote', () => {
  const people = [...readCorpus(), ...TEST_SPLITS.flatMap(readTestSplit)];

  it('is never taken for an automatic answer by its words alone, and rarely needs a second look', () => {
    const found = judged(people.map(({ text }) => text));
    expect(found.filter(({ automatic }) => automatic === 'yes')).toEqual([]);
    expect(found.filter(({ automatic }) => automatic === 'perhaps').length / found.length).toBeLessThan(0.005);
  });
});

const threads = await opened(createUnderstandingThreads());
await threads.warmUp();

describe('threads that read', () => {
  it.each(['No momento não podemos atender. PARAR', 'pago sexta', 'x'.repeat(2_000)])(
    'recognise as on the spot: %#',
    async (text) => {
      expect(await threads.automaticWords(text)).toEqual(automaticWords(text));
    },
  );

  it('refuse a text that is too long', async () => {
    await expect(threads.automaticWords('x'.repeat(5_000))).rejects.toMatchObject({ failure: 'too_long' });
  });
});
