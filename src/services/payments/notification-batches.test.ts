import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createNotificationBatches, type NotedPayment } from './notification-batches.ts';

const noteOf = (n: number): NotedPayment => ({ paymentKey: `pay${n}`, requestId: `request${n}` });

/** Writes end when the test says so. */
function slowWriter() {
  const writes: { readonly notes: readonly NotedPayment[]; readonly end: PromiseWithResolvers<void> }[] = [];
  const note = createNotificationBatches((notes) => {
    const end = Promise.withResolvers<void>();
    writes.push({ notes, end });
    return end.promise;
  });
  return { writes, note };
}

describe('batches of notifications', () => {
  it('writes what comes alone at once, and what comes meanwhile together', async () => {
    const { writes, note } = slowWriter();
    const told = Array.from({ length: 10 }, (_, n) => note(noteOf(n)));
    expect(writes.map(({ notes }) => notes.map(({ paymentKey }) => paymentKey))).toEqual([['pay0'], ['pay1']]);
    writes[0]!.end.resolve();
    await told[0];
    await setImmediate();
    expect(writes[2]!.notes).toMatchObject(Array.from({ length: 8 }, (_, n) => noteOf(n + 2)));
    writes[1]!.end.resolve();
    writes[2]!.end.resolve();
    await Promise.all(told);
    expect(writes).toHaveLength(3);
  });

  it('tells nobody before its own write is durable', async () => {
    const { writes, note } = slowWriter();
    const heard: number[] = [];
    const told = [0, 1, 2].map((n) => note(noteOf(n)).then(() => heard.push(n)));
    writes[1]!.end.resolve();
    await told[1];
    await setImmediate();
    expect(heard).toEqual([1]);
    writes[2]!.end.resolve();
    await told[2];
    expect(heard).toEqual([1, 2]);
    writes[0]!.end.resolve();
    await Promise.all(told);
  });

  it('fails those of a failed write and no others, and goes on', async () => {
    const { writes, note } = slowWriter();
    const told = Promise.allSettled(Array.from({ length: 5 }, (_, n) => note(noteOf(n))));
    writes[0]!.end.reject(new Error('down'));
    await setImmediate();
    writes[1]!.end.resolve();
    writes[2]!.end.resolve();
    expect((await told).map(({ status }) => status)).toEqual(['rejected', ...Array(4).fill('fulfilled')]);
    const after = note(noteOf(9));
    expect(writes[3]!.notes).toMatchObject([noteOf(9)]);
    writes[3]!.end.resolve();
    await after;
  });

  it('keeps one statement within bounds', async () => {
    const { writes, note } = slowWriter();
    const told = Array.from({ length: 1_200 }, (_, n) => note(noteOf(n)));
    for (let write = 0; write < 5; write += 1) {
      writes[write]!.end.resolve();
      await setImmediate();
    }
    await Promise.all(told);
    expect(writes.map(({ notes }) => notes.length)).toEqual([1, 1, 500, 500, 198]);
  });
});
