/** The fake is useful only as far as it behaves as the provider's documentation says. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '../../src/modules/payments/adapters/webhook-verifier/webhook-verifier.ts';
import { FakeMercadoPago } from '../../testing/fake-mercadopago.ts';
import { sendNotification } from '../../testing/mercadopago-notifications.ts';
import { startWebhookReceiver } from '../../testing/webhook-receiver.ts';

let fake: FakeMercadoPago;
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
beforeEach(async () => {
  fake = await new FakeMercadoPago({ webhookSecret: 'test-secret' }).start();
  receiver = await startWebhookReceiver('test-secret');
});
afterEach(async () => {
  await fake.stop();
  await receiver.stop();
});

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(fake.baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${fake.accessToken}`,
      'content-type': 'application/json',
      'x-idempotency-key': randomUUID(),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const charge = (change: object = {}) => ({
  transaction_amount: 150.75,
  payment_method_id: 'pix',
  external_reference: randomUUID(),
  notification_url: `${receiver.baseUrl}/api/payments/webhook?account=a1`,
  date_of_expiration: '2026-11-21T12:00:00.000-03:00',
  payer: { email: 'a@b.c', identification: { type: 'CPF', number: '52998224725' } },
  ...change,
});
const created = async () => String((await call('POST', '/v1/payments', charge())).body['id']);

describe('fake Mercado Pago', () => {
  it.each([
    [{ transaction_amount: '150.75' }, 1],
    [{ date_of_expiration: '2026-11-21' }, 23],
    [{ payer: { email: 'a@b.c', identification: { number: '1' } } }, 2067],
  ])('refuses %p with its code', async (change, code) => {
    expect(await call('POST', '/v1/payments', charge(change))).toMatchObject({
      status: 400,
      body: { cause: [{ code }] },
    });
  });

  it('replays a key, refuses it for another body, and locks it while in flight', async () => {
    const headers = { 'x-idempotency-key': randomUUID() };
    const body = charge();
    fake.slowWrites(100);
    const both = await Promise.all([
      call('POST', '/v1/payments', body, headers),
      call('POST', '/v1/payments', body, headers),
    ]);
    expect(both.map((one) => one.status).sort()).toEqual([201, 423]);
    expect(await call('POST', '/v1/payments', body, headers)).toMatchObject({ status: 201 });
    expect(await call('POST', '/v1/payments', { ...body, transaction_amount: 1 }, headers)).toMatchObject({
      status: 409,
    });
    expect(fake.payments.size).toBe(1);
  });

  it('cancels a pending payment, and answers 2018 for any other', async () => {
    const id = await created();
    fake.pay(id);
    expect(await call('PUT', `/v1/payments/${id}`, { status: 'cancelled' })).toMatchObject({
      status: 400,
      body: { cause: [{ code: 2018 }] },
    });
  });

  it('fails a refund in contingency only without the header', async () => {
    const id = await created();
    fake.pay(id);
    fake.refundContingency = true;
    expect(await call('POST', `/v1/payments/${id}/refunds`, {})).toMatchObject({ status: 400 });
    const headers = { 'x-render-in-process-refunds': 'true' };
    expect(await call('POST', `/v1/payments/${id}/refunds`, {}, headers)).toMatchObject({
      status: 201,
      body: { status: 'in_process' },
    });
  });

  it('keeps a partly refunded payment approved', async () => {
    const id = await created();
    fake.pay(id);
    await call('POST', `/v1/payments/${id}/refunds`, { amount: 50.75 });
    expect(fake.payment(id)).toMatchObject({
      status: 'approved',
      status_detail: 'partially_refunded',
      transaction_amount_refunded: 50.75,
    });
    await call('POST', `/v1/payments/${id}/refunds`, { amount: 100 });
    expect(fake.payment(id).status).toBe('refunded');
  });

  it.each([
    ['s' as const, 10],
    ['ms' as const, 13],
  ])('signs with ts in %s', async (tsUnit, digits) => {
    const id = await created();
    const { headers } = fake.notification(id, { tsUnit });
    expect(/ts=(\d+),/.exec(headers['x-signature'] ?? '')?.[1]).toHaveLength(digits);
    expect(await fake.notify(id, { tsUnit })).toBe(200);
  });

  it('signs an upper-case id lower-cased, or as sent by a switch', async () => {
    const id = await created();
    fake.change(id, { id: 'ORD01JQ' });
    const signedIdOf = (casing: 'lower' | 'verbatim') => {
      const { url, headers } = fake.notification(id, { casing });
      const queryDataId = new URL(url).searchParams.get('data.id') ?? undefined;
      const parts = {
        signature: headers['x-signature'],
        requestId: headers['x-request-id'],
        queryDataId,
        bodyDataId: undefined,
      };
      return verifyWebhook(parts, ['test-secret']);
    };
    expect(signedIdOf('lower')).toEqual({ dataId: 'ord01jq' });
    expect(signedIdOf('verbatim')).toEqual({ dataId: 'ORD01JQ' });
  });

  it('delivers one notification as often and as late as a test asks', async () => {
    const id = await created();
    const first = fake.notification(id, { action: 'payment.created' });
    fake.pay(id);
    const second = fake.notification(id);
    for (const one of [second, first, second]) expect(await sendNotification(one)).toBe(200);
    expect(receiver.received.map((one) => (one.body as { action: string }).action)).toEqual([
      'payment.updated',
      'payment.created',
      'payment.updated',
    ]);
    expect(receiver.received[0]).toMatchObject({ account: 'a1', type: 'payment', dataId: id });
  });
});
