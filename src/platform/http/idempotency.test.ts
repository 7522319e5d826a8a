import { expect, it } from '@jest/globals';
import { expectCostBelow } from '../../../testing/cpu-cost.ts';
import { requestHash } from './idempotency.ts';

const requestOf = (body: string) => ({ params: { id: '1' }, query: {}, body: new Map([['', body]]) });

it('digests a body of many members at once, however many of them are unknown', async () => {
  const junk = Array.from({ length: 32_000 }, () => ({ a: 1 }));
  const body = JSON.stringify({ text: 'x', junk });
  // A promise for each value took half a second, and the calls behind it waited; a walk over the values took ten.
  await expectCostBelow(3, () => requestHash(requestOf(body)));
});

it('digests what was sent, byte by byte', async () => {
  const one = await requestHash(requestOf('{"text":"x","junk":[1]}'));
  expect(await requestHash(requestOf('{"text":"x","junk":[1]}'))).toBe(one);
  expect(await requestHash(requestOf('{"text":"x", "junk":[1]}'))).not.toBe(one);
});
