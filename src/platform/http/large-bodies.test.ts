import { setImmediate as immediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { createLargeBodies } from './large-bodies.ts';

const LARGE = 100_000;

it('gives one large body at a time its turn, with everything else between two of them', async () => {
  const turn = createLargeBodies();
  const seen: string[] = [];
  const first = await turn('one', LARGE);
  const second = turn('one', LARGE).then((leave) => {
    seen.push('second');
    return leave;
  });
  const other = turn('other', LARGE).then((leave) => {
    seen.push('other');
    leave();
  });
  // A small body waits for none.
  (await turn('one', 1_000))();
  await immediate();
  expect(seen).toEqual([]);
  const arrived = immediate().then(() => seen.push('a call that has arrived'));
  first();
  await Promise.all([arrived, other, second.then((leave) => leave())]);
  expect(seen).toEqual(['a call that has arrived', 'other', 'second']);
});
