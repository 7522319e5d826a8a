import { setImmediate, setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { coalesceCalls } from './coalesce-calls.ts';

/** The test decides when each run ends. A run returns each item multiplied by ten. */
function slowRuns() {
  const runs: { readonly items: readonly number[]; readonly end: PromiseWithResolvers<void> }[] = [];
  const ask = coalesceCalls(async (items: readonly number[]) => {
    const end = Promise.withResolvers<void>();
    runs.push({ items, end });
    await end.promise;
    return items.map((item) => item * 10);
  });
  const begun = async (count: number) => {
    while (runs.length < count) await setTimeout(1);
  };
  return { runs, ask, begun };
}
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe('batches', () => {
  it('hold the calls of one turn, then those that came meanwhile, and return to each caller its own result', async () => {
    const { runs, ask } = slowRuns();
    const asked = numbers(10).map(ask);
    await setImmediate();
    asked.push(...[10, 11].map(ask));
    runs[0]!.end.resolve();
    expect(await Promise.all(asked.slice(0, 10))).toEqual(numbers(10).map((n) => n * 10));
    await setImmediate();
    runs[1]!.end.resolve();
    expect(await Promise.all(asked.slice(10))).toEqual([100, 110]);
    expect(runs.map(({ items }) => items)).toEqual([numbers(10), [10, 11]]);
  });

  it('return a result only after the run of the item has ended, and never from an earlier run', async () => {
    const { runs, ask, begun } = slowRuns();
    const resolved: number[] = [];
    const note = (n: number) => ask(n).then(() => resolved.push(n));
    const first = note(0);
    await begun(1);
    const second = note(1);
    await begun(2);
    const third = note(2);
    runs[1]!.end.resolve();
    await second;
    await begun(3);
    expect(resolved).toEqual([1]);
    runs[2]!.end.resolve();
    await third;
    expect(resolved).toEqual([1, 2]);
    runs[0]!.end.resolve();
    await first;
  });

  it('do not wait for one that takes long, and begin no third one', async () => {
    const { runs, ask, begun } = slowRuns();
    const asked = [ask(0)];
    await begun(1);
    asked.push(ask(1));
    await begun(2);
    asked.push(ask(2));
    await setTimeout(120);
    expect(runs.map(({ items }) => items)).toEqual([[0], [1]]);
    runs[0]!.end.resolve();
    await begun(3);
    for (const { end } of runs) end.resolve();
    expect(await Promise.all(asked)).toEqual([0, 10, 20]);
  });

  it('reject only the items of a failed run, and continue', async () => {
    const { runs, ask, begun } = slowRuns();
    const failing = Promise.allSettled([ask(0), ask(1)]);
    await begun(1);
    const asked = ask(2);
    runs[0]!.end.reject(new Error('down'));
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await begun(2);
    runs[1]!.end.resolve();
    expect(await asked).toBe(20);
  });

  it('limit the number of items in one run', async () => {
    const { runs, ask, begun } = slowRuns();
    const asked = numbers(1_200).map(ask);
    for (const index of numbers(3)) {
      await begun(index + 1);
      runs[index]!.end.resolve();
    }
    await Promise.all(asked);
    expect(runs.map(({ items }) => items.length)).toEqual([500, 500, 200]);
  });
});
