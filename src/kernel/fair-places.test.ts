import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createFairPlaces } from './fair-places.ts';

async function orderOf(places: ReturnType<typeof createFairPlaces>, work: readonly (readonly [string, number])[]) {
  const order: string[] = [];
  await Promise.all(
    work.map(async ([owner, size]) => {
      const place = places.take(owner, size);
      await place.ready;
      order.push(`${owner}${size}`);
      await Promise.resolve();
      place.leave();
      place.leave();
    }),
  );
  return order;
}

describe('places', () => {
  it('go to who has less, then to the smaller work, then to who came first', async () => {
    const places = createFairPlaces({ atOnce: 1, each: 1 });
    expect(
      await orderOf(places, [
        ['a', 9],
        ['a', 1],
        ['b', 5],
        ['c', 2],
        ['b', 0],
      ]),
    ).toEqual(['a9', 'c2', 'b5', 'b0', 'a1']);
  });

  it('never all belong to one owner, and are never more than there are', async () => {
    const step = fc.record({ owner: fc.constantFrom('a', 'b', 'c'), leaves: fc.nat(20) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const places = createFairPlaces({ atOnce: 3, each: 2 });
        const taken: { owner: string; isReady: boolean; leave: () => void }[] = [];
        for (const { owner, leaves } of steps) {
          const place = places.take(owner);
          const one = { owner, isReady: false, leave: place.leave };
          void place.ready.then(() => {
            one.isReady = true;
          });
          taken.push(one);
          const [left] = leaves < taken.length ? taken.splice(leaves, 1) : [];
          left?.leave();
          await Promise.resolve();
          const ready = taken.filter(({ isReady }) => isReady);
          expect(ready.length).toBeLessThanOrEqual(3);
          for (const name of ['a', 'b', 'c']) {
            expect(ready.filter((each) => each.owner === name).length).toBeLessThanOrEqual(2);
          }
        }
        for (const one of taken) one.leave();
        await orderOf(places, [['d', 0]]);
        expect([places.of('a'), places.of('d'), places.waiting()]).toEqual([0, 0, 0]);
      }),
    );
  });
});
