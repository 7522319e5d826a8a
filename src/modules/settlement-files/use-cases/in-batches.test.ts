import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eachInTurn, sortInTurns } from './in-batches.ts';

const ROWS = 12_500;

it('sorts as one sort does, with equal elements in the order in which they came', async () => {
  const row = fc.record({ key: fc.nat({ max: 4_000 }), place: fc.constant(0) });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 0, maxLength: 4_500, size: 'max' }), async (given) => {
      const rows = given.map((one, place) => ({ ...one, place }));
      const compare = (one: { readonly key: number }, other: { readonly key: number }) => one.key - other.key;
      expect(await sortInTurns(rows, compare)).toEqual(rows.toSorted(compare));
    }),
    { numRuns: 20 },
  );
});

it('leaves other work its turns between a few rows that take long', async () => {
  let turns = 0;
  let isDone = false;
  const other = (async () => {
    while (!isDone) {
      turns += 1;
      await nextTurn();
    }
  })();
  await eachInTurn(Array.from({ length: 10 }), () => {
    const until = performance.now() + 10;
    while (performance.now() < until);
  });
  isDone = true;
  await other;
  expect(turns).toBeGreaterThanOrEqual(10);
});

it('leaves other work its turns', async () => {
  let turns = 0;
  let isDone = false;
  const other = (async () => {
    while (!isDone) {
      turns += 1;
      await nextTurn();
    }
  })();
  const rows = Array.from({ length: ROWS }, (_, n) => (n * 7_919) % ROWS);
  const sorted = await sortInTurns(rows, (one, next) => one - next);
  const afterSort = turns;
  const seen: number[] = [];
  await eachInTurn(rows, (row) => void seen.push(row));
  isDone = true;
  await other;
  expect(sorted).toEqual(rows.map((_, n) => n));
  expect(seen).toEqual(rows);
  expect(afterSort).toBeGreaterThan(20);
  expect(turns - afterSort).toBeGreaterThan(5);
});
