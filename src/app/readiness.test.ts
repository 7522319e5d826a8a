import { describe, expect, it } from '@jest/globals';
import { createReadiness } from './readiness.ts';

const setUp = () => {
  let asked = 0;
  let time = 0;
  let answers: Promise<void> = Promise.resolve();
  const readiness = createReadiness(
    {
      database: () => {
        asked += 1;
        return answers;
      },
      temporal: async () => undefined,
      worker: async () => 'ok',
    },
    () => time,
  );
  return {
    readiness,
    asked: () => asked,
    pass: (ms: number) => {
      time += ms;
    },
    answerWith: (next: Promise<void>) => {
      answers = next;
    },
  };
};

describe('readiness', () => {
  it('is checked once for all calls within a second, and again for a later call', async () => {
    const { readiness, asked, pass, answerWith } = setUp();
    await Promise.all(Array.from({ length: 50 }, readiness));
    pass(999);
    expect((await readiness()).database.status).toBe('up');
    expect(asked()).toBe(1);
    answerWith(Promise.reject(new Error('down')));
    pass(1);
    expect((await readiness()).database.status).toBe('down');
    expect(asked()).toBe(2);
  });

  it('waits for a check in progress instead of starting another', async () => {
    const { readiness, asked, pass, answerWith } = setUp();
    const { promise, resolve } = Promise.withResolvers<void>();
    answerWith(promise);
    const first = readiness();
    pass(1_500);
    const second = readiness();
    resolve();
    expect(await first).toEqual(await second);
    expect(asked()).toBe(1);
    await readiness();
    expect(asked()).toBe(2);
  });
});
