import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { verifyWebhook } from './webhook-verifier.ts';

const SECRET = 'test-secret';
const TS = '1742505638683';
const REQUEST_ID = '2066ca19-c6f1-498a-be75-1923005edd06';
const VECTORS = {
  numeric: '5660c3f28d3a19d0602f7b5b7fc4ab8236adc11ca50288d97f085d8001c1f1c9',
  noId: '85cceb9f10129f39986add79816c00c63234bb5c26f86ec13f48da3aecd437aa',
  lower: 'd568551a3929afe312cfd5771e3fe9365a9ee7fbccd97712645be11c30059a51',
  upper: '9b10a4de21055ae4ee2e980e25decd6ced40cb12432e3ad11c01e3d94a84716e',
};
const ORDER = 'ORD01JQ4S4KY8HWQ6NA5PXB65B3D3';
const notification = (hash: string, queryDataId: string | undefined, bodyDataId?: unknown) => ({
  signature: `ts=${TS},v1=${hash}`,
  requestId: REQUEST_ID,
  queryDataId,
  bodyDataId,
});
const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

describe('webhook verifier', () => {
  it('accepts the published vectors', () => {
    expect(verifyWebhook(notification(VECTORS.numeric, '1234567890'), [SECRET])).toEqual({ dataId: '1234567890' });
    expect(verifyWebhook(notification(VECTORS.noId, undefined), [SECRET])).toEqual({ dataId: null });
    expect(verifyWebhook(notification(VECTORS.lower, ORDER), [SECRET])).toEqual({ dataId: ORDER.toLowerCase() });
    expect(verifyWebhook(notification(VECTORS.upper, ORDER), [SECRET])).toEqual({ dataId: ORDER });
  });

  it('does not accept an upper-case signature for a lower-case id', () => {
    expect(verifyWebhook(notification(VECTORS.upper, ORDER.toLowerCase()), [SECRET])).toBeNull();
  });

  it('returns the signed id and never the other one of the body', () => {
    expect(verifyWebhook(notification(VECTORS.numeric, '1234567890', '666'), [SECRET])).toEqual({
      dataId: '1234567890',
    });
    expect(verifyWebhook(notification(VECTORS.numeric, '666', '1234567890'), [SECRET])).toBeNull();
    expect(verifyWebhook(notification(VECTORS.numeric, undefined, 1234567890), [SECRET])).toEqual({
      dataId: '1234567890',
    });
    expect(verifyWebhook(notification(VECTORS.noId, '1234567890'), [SECRET])).toBeNull();
    expect(verifyWebhook(notification(VECTORS.noId, undefined, '1234567890'), [SECRET])).toBeNull();
  });

  it('accepts any of several secrets and any of several v1', () => {
    const hash = VECTORS.numeric;
    const rotated = notification(hash, '1234567890');
    expect(verifyWebhook(rotated, ['new', SECRET])).not.toBeNull();
    expect(
      verifyWebhook({ ...rotated, signature: `ts=${TS},v1=${'0'.repeat(64)},v1=${hash}` }, [SECRET]),
    ).not.toBeNull();
    expect(verifyWebhook(rotated, ['new'])).toBeNull();
    expect(verifyWebhook(rotated, [])).toBeNull();
  });

  it('refuses every change of a signed notification', () => {
    const signed = fc.record({
      id: fc.stringMatching(/^[0-9]{1,20}$/),
      requestId: fc.uuid(),
      ts: fc.stringMatching(/^(\d{10}|\d{13})$/),
      secret: fc.string({ minLength: 1 }),
    });
    fc.assert(
      fc.property(signed, signed, (right, wrong) => {
        const v1 = hmac(right.secret, `id:${right.id};request-id:${right.requestId};ts:${right.ts};`);
        const check = (parts: typeof right) =>
          verifyWebhook(
            {
              signature: `ts=${parts.ts},v1=${v1}`,
              requestId: parts.requestId,
              queryDataId: parts.id,
              bodyDataId: null,
            },
            [parts.secret],
          );
        expect(check(right)).toEqual({ dataId: right.id });
        for (const part of ['id', 'requestId', 'ts', 'secret'] as const) {
          if (right[part] !== wrong[part]) expect(check({ ...right, [part]: wrong[part] })).toBeNull();
        }
      }),
    );
  });
});
