import { describe, expect, it } from '@jest/globals';
import { MAX_TOLD_PAYMENTS, readPixNotification } from './read-pix-notification.ts';

const E2E = `E${'1'.repeat(31)}`;
const TXID = 'a'.repeat(32);
const read = (body: unknown) =>
  readPixNotification(new TextEncoder().encode(JSON.stringify(body))).map(({ txid, endToEndId }) => [txid, endToEndId]);

describe('a notification of a bank', () => {
  it('is read in both shapes, with several payments', () => {
    const pix = [{ endToEndId: E2E, txid: TXID, valor: '1.00' }, { endToEndId: E2E }];
    const told = [
      [TXID, E2E],
      [null, E2E],
    ];
    expect(read({ pix })).toEqual(told);
    expect(read(pix)).toEqual(told);
  });

  it('leaves out what is no payment or too much, and reads the rest', () => {
    const good = { endToEndId: E2E, txid: TXID };
    expect(read([null, 1, {}, { endToEndId: 7 }, { endToEndId: `${E2E}x` }, good])).toEqual([[TXID, E2E]]);
    // It is looked for among the payments of the account.
    expect(read([{ ...good, txid: 'a b' }])).toEqual([[null, E2E]]);
    expect(read(Array.from({ length: 1_500 }, () => good))).toHaveLength(MAX_TOLD_PAYMENTS);
  });

  it.each([[null], ['x'], [{}], [{ pix: {} }]])('is empty in %p', (body) => {
    expect(read(body)).toEqual([]);
  });

  it('is empty in what is no JSON', () => {
    expect(readPixNotification(new Uint8Array([0xff, 0x7b]))).toEqual([]);
  });
});
