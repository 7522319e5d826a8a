/** The guarantees of every payment provider adapter, tested on each of them. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMercadoPagoProvider } from '../../src/modules/payments/adapters/mercadopago/mercadopago-provider.ts';
import { createSandboxBank } from '../../src/modules/payments/adapters/sandbox/sandbox-bank.ts';
import { createSandboxProvider } from '../../src/modules/payments/adapters/sandbox/sandbox-provider.ts';
import type {
  CreateChargeInput,
  PaymentCredentials,
  PaymentProvider,
} from '../../src/modules/payments/ports/payment-provider.ts';
import { parseBrCode } from '../../testing/br-code.ts';
import { FakeMercadoPago } from '../../testing/fake-mercadopago.ts';
import { memorySandboxChargeStore } from '../../testing/memory-sandbox-store.ts';
import { startWebhookReceiver } from '../../testing/webhook-receiver.ts';

interface Harness {
  readonly provider: PaymentProvider;
  readonly credentials: PaymentCredentials | null;
  readonly notificationUrl: string;
  pay(id: string, amountCentavos?: number): Promise<void>;
  refund(id: string, amountCentavos?: number): Promise<void>;
  reverseChargeback(id: string): Promise<void>;
  chargeBack(id: string): Promise<void>;
  expire(id: string): Promise<void>;
  /** The ids of the received notifications with a valid signature. */
  notified(): readonly (string | null)[];
  stop(): Promise<void>;
}

const DAY_MS = 24 * 3_600_000;

async function sandbox(): Promise<Harness> {
  const receiver = await startWebhookReceiver('test-secret');
  const store = memorySandboxChargeStore();
  let skippedMs = 0;
  const now = () => new Date(Date.now() + skippedMs);
  const bank = createSandboxBank({ store, now, webhookBaseUrl: receiver.baseUrl, webhookSecret: 'test-secret' });
  return {
    provider: createSandboxProvider({ store, now }),
    credentials: null,
    notificationUrl: 'https://quita.example/api/payments/webhook?account=a1',
    pay: (id, amountCentavos) => bank.pay(id, amountCentavos === undefined ? {} : { amountCentavos }),
    refund: (id, amountCentavos) => bank.refund(id, amountCentavos),
    reverseChargeback: (id) => bank.reverseChargeback(id),
    chargeBack: (id) => bank.chargeBack(id),
    expire: async () => {
      skippedMs += 4 * DAY_MS;
    },
    notified: () => receiver.received.map((one) => one.dataId),
    stop: () => receiver.stop(),
  };
}

async function mercadopago(): Promise<Harness> {
  const fake = await new FakeMercadoPago({ webhookSecret: 'test-secret' }).start();
  const receiver = await startWebhookReceiver('test-secret');
  return {
    provider: createMercadoPagoProvider({ baseUrl: fake.baseUrl, retryBaseMs: 1 }),
    credentials: { accessToken: fake.accessToken },
    notificationUrl: `${receiver.baseUrl}/api/payments/webhook?account=a1`,
    pay: async (id, amountCentavos) => {
      fake.pay(id, amountCentavos === undefined ? undefined : amountCentavos / 100);
      await fake.notify(id);
    },
    refund: async (id, amountCentavos) => {
      fake.refund(id, amountCentavos === undefined ? undefined : amountCentavos / 100);
      await fake.notify(id);
    },
    chargeBack: async (id) => {
      fake.change(id, { status: 'charged_back', status_detail: 'in_process' });
      await fake.notify(id);
    },
    reverseChargeback: async (id) => {
      fake.change(id, { status: 'charged_back', status_detail: 'reimbursed' });
      await fake.notify(id);
    },
    expire: async (id) => fake.change(id, { status: 'cancelled', status_detail: 'expired' }),
    notified: () => receiver.received.map((one) => one.dataId),
    stop: async () => {
      await fake.stop();
      await receiver.stop();
    },
  };
}

describe.each([
  ['sandbox', sandbox],
  ['mercadopago', mercadopago],
])('payment provider %s', (name, start) => {
  let harness: Harness;
  beforeEach(async () => {
    harness = await start();
  });
  afterEach(() => harness.stop());

  const input = (change: Partial<CreateChargeInput> = {}): CreateChargeInput => ({
    idempotencyKey: randomUUID(),
    amountCentavos: 15_075,
    description: 'Fatura 42',
    externalReference: randomUUID(),
    payer: { firstName: 'Ana', lastName: 'Souza', taxId: { kind: 'CPF', number: '52998224725' } },
    notificationUrl: harness.notificationUrl,
    expiresAt: new Date(Date.now() + 3 * DAY_MS),
    credentials: harness.credentials,
    ...change,
  });
  const create = async (change: Partial<CreateChargeInput> = {}) => {
    const asked = input(change);
    return { asked, created: await harness.provider.createCharge(asked) };
  };
  const get = (id: string) => harness.provider.getCharge(id, harness.credentials);

  it('has its name', () => {
    expect(harness.provider.name).toBe(name);
  });

  it('creates a pending charge whose code contains the amount', async () => {
    const { asked, created } = await create();
    expect(parseBrCode(created.brCode)?.amountCentavos).toBe(15_075);
    expect(created.expiresAt).toEqual(asked.expiresAt);
    expect(await get(created.providerPaymentId)).toMatchObject({
      providerPaymentId: created.providerPaymentId,
      status: 'PENDING',
      amountCentavos: 15_075,
      paidAmountCentavos: 0,
      refundedCentavos: 0,
      currency: 'BRL',
      externalReference: asked.externalReference,
      paidAt: null,
      chargedBack: false,
      brCode: created.brCode,
    });
  });

  it.each([[1], [29], [57], [1_005], [110], [9_999_999_999]])('keeps %p centavos exact', async (amountCentavos) => {
    const { created } = await create({ amountCentavos });
    await harness.pay(created.providerPaymentId);
    expect(await get(created.providerPaymentId)).toMatchObject({ amountCentavos, paidAmountCentavos: amountCentavos });
  });

  it('creates one charge for one key, also for concurrent calls', async () => {
    const asked = input();
    const made = await Promise.all(Array.from({ length: 8 }, () => harness.provider.createCharge(asked)));
    expect(new Set(made.map((one) => one.providerPaymentId)).size).toBe(1);
    expect(new Set(made.map((one) => one.brCode)).size).toBe(1);
  });

  it('refuses a key that was used for another charge', async () => {
    const { asked } = await create();
    await expect(harness.provider.createCharge({ ...asked, amountCentavos: 1 })).rejects.toMatchObject({
      kind: 'conflict',
    });
  });

  it.each([
    ['an amount of zero', { amountCentavos: 0 }],
    ['half a centavo', { amountCentavos: 1.5 }],
    ['a reference with a space', { externalReference: 'a b' }],
    ['an expiry that is too near', { expiresAt: new Date(Date.now() + 60_000) }],
    ['an expiry that is too far', { expiresAt: new Date(Date.now() + 31 * DAY_MS) }],
    ['no date', { expiresAt: new Date(Number.NaN) }],
  ])('refuses %s', async (_what, change) => {
    await expect(create(change)).rejects.toMatchObject({ kind: 'rejected' });
  });

  it('notifies of the payment with a signature', async () => {
    const { created } = await create();
    await harness.pay(created.providerPaymentId);
    expect(harness.notified()).toEqual([created.providerPaymentId]);
    const charge = await get(created.providerPaymentId);
    expect(charge).toMatchObject({ status: 'APPROVED', statusDetail: 'accredited', paidAmountCentavos: 15_075 });
    expect(Math.abs((charge.paidAt?.getTime() ?? 0) - Date.now())).toBeLessThan(10_000);
  });

  it('reports the paid amount when it differs from the requested amount', async () => {
    const { created } = await create();
    await harness.pay(created.providerPaymentId, 15_000);
    expect(await get(created.providerPaymentId)).toMatchObject({ amountCentavos: 15_075, paidAmountCentavos: 15_000 });
  });

  it('reports a partial refund as approved, and a full refund as cancelled', async () => {
    const { created } = await create();
    await harness.pay(created.providerPaymentId);
    await harness.refund(created.providerPaymentId, 5_000);
    expect(await get(created.providerPaymentId)).toMatchObject({
      status: 'APPROVED',
      statusDetail: 'partially_refunded',
      refundedCentavos: 5_000,
    });
    const other = (await create()).created;
    await harness.pay(other.providerPaymentId);
    await harness.refund(other.providerPaymentId);
    expect(await get(other.providerPaymentId)).toMatchObject({
      status: 'CANCELLED',
      rawStatus: 'refunded',
      refundedCentavos: 15_075,
    });
  });

  it('reports a chargeback', async () => {
    const { created } = await create();
    await harness.pay(created.providerPaymentId);
    await harness.chargeBack(created.providerPaymentId);
    expect(await get(created.providerPaymentId)).toMatchObject({ status: 'CANCELLED', chargedBack: true });
  });

  it('reports a chargeback that the creditor won as money that is there again', async () => {
    const { created } = await create();
    await harness.pay(created.providerPaymentId);
    await harness.refund(created.providerPaymentId, 5_000);
    await harness.chargeBack(created.providerPaymentId);
    const taken = await get(created.providerPaymentId);
    await harness.reverseChargeback(created.providerPaymentId);
    const back = await get(created.providerPaymentId);
    expect(back).toMatchObject({
      status: 'APPROVED',
      chargedBack: false,
      paidAmountCentavos: 15_075,
      refundedCentavos: 5_000,
    });
    expect(back.updatedAt?.getTime()).toBeGreaterThanOrEqual(taken.updatedAt?.getTime() ?? Number.NaN);
  });

  it('reports an expired charge as cancelled', async () => {
    const { created } = await create();
    await harness.expire(created.providerPaymentId);
    expect(await get(created.providerPaymentId)).toMatchObject({
      status: 'CANCELLED',
      statusDetail: 'expired',
      paidAmountCentavos: 0,
    });
  });

  it('cancels once, however often it is called', async () => {
    const { created } = await create();
    for (let times = 0; times < 2; times += 1) {
      const cancelled = await harness.provider.cancelCharge(created.providerPaymentId, harness.credentials);
      expect(cancelled).toMatchObject({ status: 'CANCELLED', rawStatus: 'cancelled' });
    }
  });

  it('does not cancel a paid charge', async () => {
    const { created } = await create();
    await harness.pay(created.providerPaymentId);
    await expect(harness.provider.cancelCharge(created.providerPaymentId, harness.credentials)).rejects.toMatchObject({
      kind: 'conflict',
    });
    expect(await get(created.providerPaymentId)).toMatchObject({ status: 'APPROVED' });
  });

  it('finds charges by our reference, and no others', async () => {
    const { asked, created } = await create();
    await create();
    const find = (reference: string) => harness.provider.searchByExternalReference(reference, harness.credentials);
    expect(await find(asked.externalReference)).toMatchObject([
      { providerPaymentId: created.providerPaymentId, brCode: created.brCode },
    ]);
    expect(await find(randomUUID())).toEqual([]);
  });

  it('reports not_found for a charge that it did not create', async () => {
    await expect(get('404404404')).rejects.toMatchObject({ kind: 'not_found' });
    await expect(harness.provider.cancelCharge('404404404', harness.credentials)).rejects.toMatchObject({
      kind: 'not_found',
    });
  });

  it('accepts valid credentials', async () => {
    expect((await harness.provider.checkCredentials(harness.credentials)).accountId).not.toBe('');
  });
});
