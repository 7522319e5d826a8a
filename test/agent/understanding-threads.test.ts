import { describe, expect, it } from '@jest/globals';
import { MAX_UNDERSTOOD } from '../../src/kernel/understood-text.ts';
import { understandByRules } from '../../src/modules/agent/adapters/rules/understand.ts';
import { createUnderstandingThreads } from '../../src/modules/agent/adapters/threads/understanding-threads.ts';
import { NotUnderstoodError } from '../../src/modules/messaging/ports/collection-agent.ts';
import { opened } from '../../testing/opened.ts';
import { CONVERSATION } from './support.ts';

const workerUrl = new URL('./threads/endless-worker.ts', import.meta.url);

const threadsOf = (options: Parameters<typeof createUnderstandingThreads>[0] = {}) => {
  const failures: string[] = [];
  const threads = createUnderstandingThreads({ ...options, onFailure: (failure) => failures.push(failure) });
  return { threads, failures };
};

const threads = await opened(createUnderstandingThreads());
await threads.warmUp();

describe('threads that understand', () => {
  it.each([
    'oi, quem é?',
    'pago sexta que vem',
    'pago no quinto dia útil do mês que vem',
    'pago daqui a 15 dias úteis',
    'parem de me mandar mensagem',
    'não sou a Maria, para de mandar mensagem',
    'perdi o emprego 😢',
  ])('understand as on the spot: %s', async (message) => {
    expect(await threads.understand(message, CONVERSATION)).toEqual(understandByRules(message, CONVERSATION));
  });

  it('know what the creditor asked last', async () => {
    const turns = [{ from: 'creditor' as const, text: 'Combinado. Em que dia fica bom?', at: 0 }];
    expect(await threads.understand('dia 20', { ...CONVERSATION, turns })).toMatchObject({
      intent: 'promise',
      date: '2026-11-20',
    });
  });

  it('refuse a longer text without reading it', async () => {
    await expect(threads.understand('a'.repeat(MAX_UNDERSTOOD + 1), CONVERSATION)).rejects.toMatchObject({
      failure: 'too_long',
    });
  });
});

describe('a message that cannot be read', () => {
  it('is given up at its deadline, its thread is ended, and the next message is read by another', async () => {
    const { threads, failures } = threadsOf({ workerUrl, threads: 1, deadlineMs: 300 });
    await threads.warmUp();
    const started = performance.now();
    await expect(threads.understand('sem fim', CONVERSATION)).rejects.toThrow(NotUnderstoodError);
    expect(performance.now() - started).toBeGreaterThan(290);
    // The start of the new thread is not the message's time: it takes longer than the deadline on a busy machine.
    expect(await threads.understand('oi', CONVERSATION)).toMatchObject({ intent: 'other' });
    expect(failures).toEqual(['timed_out']);
    await threads.close();
  });

  it('does not take its time from those that wait behind it', async () => {
    const { threads, failures } = threadsOf({ workerUrl, threads: 1, deadlineMs: 300 });
    const endless = [1, 2, 3].map(() => threads.understand('sem fim', CONVERSATION));
    const good = threads.understand('oi', CONVERSATION);
    const outcomes = await Promise.allSettled([...endless, good]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled']);
    expect(failures).toEqual(['timed_out', 'timed_out', 'timed_out']);
    await threads.close();
  });

  it.each(['quebra', 'lança', 'falha'])(
    'ends its thread (%s): it counts alike, and the next message is read',
    async (message) => {
      const { threads, failures } = threadsOf({ workerUrl, threads: 1 });
      await expect(threads.understand(message, CONVERSATION)).rejects.toMatchObject({ failure: 'crashed' });
      expect(await threads.understand('oi', CONVERSATION)).toMatchObject({ intent: 'other' });
      expect(failures).toEqual(['crashed']);
      await threads.close();
    },
  );

  it('also where no thread can start, each time anew', async () => {
    const { threads } = threadsOf({ workerUrl: new URL('./threads/broken-worker.ts', import.meta.url) });
    for (let time = 0; time < 3; time += 1)
      await expect(threads.understand('oi', CONVERSATION)).rejects.toMatchObject({ failure: 'crashed' });
    await threads.close();
  });

  it('when the process ends it is no failure of the message', async () => {
    const { threads, failures } = threadsOf({ workerUrl });
    const endless = threads.understand('sem fim', CONVERSATION).catch((error: unknown) => error);
    await threads.close();
    expect(await endless).not.toBeInstanceOf(NotUnderstoodError);
    await expect(threads.understand('oi', CONVERSATION)).rejects.not.toBeInstanceOf(NotUnderstoodError);
    expect(failures).toEqual([]);
  });
});
