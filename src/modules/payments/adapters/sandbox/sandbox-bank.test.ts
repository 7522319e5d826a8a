import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseBrCode } from '../../../../../testing/br-code.ts';
import { memorySandboxChargeStore } from '../../../../../testing/memory-sandbox-store.ts';
import { startWebhookReceiver } from '../../../../../testing/webhook-receiver.ts';
import { brCodeOf } from '../../ports/payment-provider.ts';
import { createSandboxBank } from './sandbox-bank.ts';
import { createSandboxProvider } from './sandbox-provider.ts';

const SECRET = 'test-secret';
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
let store: ReturnType<typeof memorySandboxChargeStore>;
let skippedMs = 0;
const now = () => new Date(Date.now() + skippedMs);
const bankWith = (webhookSecret: string, webhookBaseUrl = receiver.baseUrl) =>
  createSandboxBank({ store, now, webhookBaseUrl, webhookSecret, retryBaseMs: 1, timeoutMs: 10_000 });

beforeEach(async () => {
  receiver = await startWebhookReceiver(SECRET);
  store = memorySandboxChargeStore();
  skippedMs = 0;
});
afterEach(() => receiver.stop());

const charge = () =>
  createSandboxProvider({ store, now }).createCharge({
    idempotencyKey: randomUUID(),
    amountCentavos: 4_200,
    description: 'Fatura 1',
    externalReference: randomUUID(),
    payer: { firstName: 'Ana', lastName: 'Souza', taxId: { kind: 'CPF', number: '52998224725' } },
    notificationUrl: 'https://public.example/prefix/api/payments/webhook?account=client-1',
    payable: { kind: 'until', expiresAt: new Date(Date.now() + 3 * 24 * 3_600_000) },
    credentials: null,
  });

describe('sandbox bank', () => {
  it('creates charges with sandbox ids and codes that nobody can really pay', async () => {
    const { providerPaymentId, instruments } = await charge();
    expect(providerPaymentId).toMatch(/^sbx_[0-9a-f-]{36}$/);
    expect(parseBrCode(brCodeOf(instruments)!)).toMatchObject({
      amountCentavos: 4_200,
      merchantName: 'TESTE SEM VALOR',
      key: providerPaymentId.slice(4),
    });
  });

  it('stores nothing about the payer', async () => {
    const { providerPaymentId } = await charge();
    expect(JSON.stringify(await store.get(providerPaymentId))).not.toMatch(/Ana|Souza|52998224725/);
  });

  it('sends the notification of the contract to the internal address, with the account of the charge', async () => {
    const { providerPaymentId } = await charge();
    await bankWith(SECRET).pay(providerPaymentId);
    expect(receiver.received).toEqual([
      {
        path: '/api/payments/webhook',
        account: 'client-1',
        type: 'payment',
        dataId: providerPaymentId,
        body: { action: 'payment.updated', type: 'payment', data: { id: providerPaymentId } },
      },
    ]);
    expect((await store.get(providerPaymentId))?.endToEndId).toMatch(/^E\d{8}\d{12}[0-9a-z]{11}$/);
  });

  it('pays once when it is asked many times at once', async () => {
    const { providerPaymentId } = await charge();
    await Promise.all(Array.from({ length: 5 }, () => bankWith(SECRET).pay(providerPaymentId)));
    expect(await store.get(providerPaymentId)).toMatchObject({ status: 'approved', paidAmountCentavos: 4_200 });
    const notified = receiver.received.length;
    await bankWith(SECRET).pay(providerPaymentId);
    expect(receiver.received).toHaveLength(notified);
    expect(await bankWith(SECRET).deliverDue()).toBe(0);
  });

  it('tries again while the webhook answers 503', async () => {
    const { providerPaymentId } = await charge();
    receiver.refuseNext(503, 503);
    await bankWith(SECRET).pay(providerPaymentId);
    expect(receiver.received).toHaveLength(1);
  });

  it('delivers after a crash or an outage what was not confirmed, once', async () => {
    const { providerPaymentId } = await charge();
    await bankWith(SECRET, 'http://127.0.0.1:1').pay(providerPaymentId);
    expect(receiver.received).toHaveLength(0);
    expect(await bankWith(SECRET).deliverDue()).toBe(1);
    expect(await bankWith(SECRET).deliverDue()).toBe(0);
    expect(receiver.received.map((one) => one.dataId)).toEqual([providerPaymentId]);
  });

  it('does not count a refused signature as delivered', async () => {
    const { providerPaymentId } = await charge();
    await bankWith('wrong').pay(providerPaymentId);
    expect(await bankWith('wrong').deliverDue()).toBe(0);
    expect(await bankWith(SECRET).deliverDue()).toBe(1);
  });

  it('notifies every change', async () => {
    const { providerPaymentId } = await charge();
    const bank = bankWith(SECRET);
    await bank.pay(providerPaymentId);
    await bank.refund(providerPaymentId, 100);
    await bank.refund(providerPaymentId);
    expect(receiver.received).toHaveLength(3);
  });

  it('refuses to pay a charge that has expired, was cancelled or does not exist', async () => {
    const { providerPaymentId } = await charge();
    const other = (await charge()).providerPaymentId;
    await createSandboxProvider({ store, now }).cancelCharge(other, null);
    skippedMs = 4 * 24 * 3_600_000;
    await expect(bankWith(SECRET).pay(providerPaymentId)).rejects.toMatchObject({ kind: 'conflict' });
    await expect(bankWith(SECRET).pay(other)).rejects.toMatchObject({ kind: 'conflict' });
    await expect(bankWith(SECRET).pay('sbx_none')).rejects.toMatchObject({ kind: 'not_found' });
    expect(receiver.received).toEqual([]);
  });

  it('refuses to refund a charge that was never paid', async () => {
    const { providerPaymentId } = await charge();
    await expect(bankWith(SECRET).refund(providerPaymentId)).rejects.toMatchObject({ kind: 'conflict' });
    await expect(bankWith(SECRET).chargeBack(providerPaymentId)).rejects.toMatchObject({ kind: 'conflict' });
  });
});
