import { setImmediate } from 'node:timers/promises';
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
  return { runs, ask };
}
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe('batches', () => {
  it('run single items immediately and later items together, and return to each caller its own result', async () => {
    const { runs, ask } = slowRuns();
    const asked = numbers(10).map(ask);
    expect(runs.map(({ items }) => items)).toEqual([[0], [1]]);
    runs[0]!.end.resolve();
    expect(await asked[0]).toBe(0);
    await setImmediate();
    expect(runs[2]!.items).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    runs[1]!.end.resolve();
    runs[2]!.end.resolve();
    expect(await Promise.all(asked)).toEqual(numbers(10).map((n) => n * 10));
    expect(runs).toHaveLength(3);
  });

  it('return a result only after the run of the item has ended, and never from an earlier run', async () => {
    const { runs, ask } = slowRuns();
    const resolved: number[] = [];
    const asked = numbers(3).map((n) => ask(n).then(() => resolved.push(n)));
    runs[1]!.end.resolve();
    await asked[1];
    await setImmediate();
    expect(resolved).toEqual([1]);
    runs[2]!.end.resolve();
    await asked[2];
    expect(resolved).toEqual([1, 2]);
    runs[0]!.end.resolve();
    await Promise.all(asked);
  });

  it('reject only the items of a failed run, and continue', async () => {
    const { runs, ask } = slowRuns();
    const asked = Promise.allSettled(numbers(5).map(ask));
    runs[0]!.end.reject(new Error('down'));
    await setImmediate();
    runs[1]!.end.resolve();
    runs[2]!.end.resolve();
    expect((await asked).map(({ status }) => status)).toEqual(['rejected', ...Array(4).fill('fulfilled')]);
    const after = ask(9);
    expect(runs[3]!.items).toEqual([9]);
    runs[3]!.end.resolve();
    expect(await after).toBe(90);
  });

  it('limit the number of items in one run', async () => {
    const { runs, ask } = slowRuns();
    const asked = numbers(1_200).map(ask);
    for (const index of numbers(5)) {
      runs[index]!.end.resolve();
      await setImmediate();
    }
    await Promise.all(asked);
    expect(runs.map(({ items }) => items.length)).toEqual([1, 1, 500, 500, 198]);
  });
});
