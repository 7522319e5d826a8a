import { expect, it } from '@jest/globals';
import { cpuCost } from '../../test/support/cpu-cost.ts';
import { requestHash } from './idempotency.ts';

const requestOf = (body: unknown) => ({ params: { id: '1' }, query: {}, body: new Map([['', body]]) });

it('digests a body of many members at once, however many of them are unknown', async () => {
  const junk = Array.from({ length: 32_000 }, () => ({ a: 1 }));
  const body = { text: 'x', junk };
  // A promise for each value took half a second, and the calls behind it waited.
  expect(await cpuCost(() => requestHash(requestOf(body)), { runs: 5 })).toBeLessThan(12);
});

it('digests what was sent, in any order of its members', async () => {
  const one = await requestHash(requestOf({ text: 'x', junk: [{ a: 1, b: [2] }] }));
  expect(await requestHash(requestOf({ junk: [{ b: [2], a: 1 }], text: 'x' }))).toBe(one);
  expect(await requestHash(requestOf({ text: 'x', junk: [{ a: 1, b: [3] }] }))).not.toBe(one);
});
