/** The guarantees of every payment provider adapter, tested on each of them. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMercadoPagoProvider } from '../../src/modules/payments/adapters/mercadopago/mercadopago-provider.ts';
import { createPixProvider } from '../../src/modules/payments/adapters/pix/pix-provider.ts';
import { createSandboxBank } from '../../src/modules/payments/adapters/sandbox/sandbox-bank.ts';
import { createSandboxProvider } from '../../src/modules/payments/adapters/sandbox/sandbox-provider.ts';
import {
  brCodeOf,
  type CreateChargeInput,
  type PaymentCredentials,
  type PaymentProvider,
} from '../../src/modules/payments/ports/payment-provider.ts';
import { readPixNotification } from '../../src/modules/payments/rules/read-pix-notification.ts';
import { parseBrCode } from '../../testing/br-code.ts';
import { FakeBank } from '../../testing/fake-bank/fake-bank.ts';
import type { PlayedBank } from '../../testing/fake-bank/quirks.ts';
import { startHttpReceiver } from '../../testing/fake-bank/receiver.ts';
import { FakeMercadoPago } from '../../testing/fake-mercadopago.ts';
import { memorySandboxChargeStore } from '../../testing/memory-sandbox-store.ts';
import { startWebhookReceiver } from '../../testing/webhook-receiver.ts';

interface Harness {
  readonly provider: PaymentProvider;
  readonly credentials: PaymentCredentials | null;
  readonly notificationUrl: string;
  pay(id: string, amountCentavos?: number): Promise<void>;
  refund(id: string, amountCentavos?: number): Promise<void>;
  /** Null where no payer can charge back; what a bank takes back by itself is a return then. */
  readonly chargebacks: { begin(id: string): Promise<void>; reverse(id: string): Promise<void> } | null;
  /** Null for a provider that does not tell why money went back. */
  readonly takeBack: ((id: string, amountCentavos: number) => Promise<void>) | null;
  /** Where a bank makes refunds later than it accepts them, it makes those of a charge now. */
  makeRefunds(id: string): void;
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
    chargebacks: { begin: (id) => bank.chargeBack(id), reverse: (id) => bank.reverseChargeback(id) },
    makeRefunds: () => undefined,
    takeBack: (id, amountCentavos) => bank.takeBack(id, 'med_fraude', amountCentavos),
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
    credentials: { kind: 'token', accessToken: fake.accessToken },
    notificationUrl: `${receiver.baseUrl}/api/payments/webhook?account=a1`,
    pay: async (id, amountCentavos) => {
      fake.pay(id, amountCentavos === undefined ? undefined : amountCentavos / 100);
      await fake.notify(id);
    },
    refund: async (id, amountCentavos) => {
      fake.refund(id, amountCentavos === undefined ? undefined : amountCentavos / 100);
      await fake.notify(id);
    },
    chargebacks: {
      begin: async (id) => {
        fake.change(id, { status: 'charged_back', status_detail: 'in_process' });
        await fake.notify(id);
      },
      reverse: async (id) => {
        fake.change(id, { status: 'charged_back', status_detail: 'reimbursed' });
        await fake.notify(id);
      },
    },
    makeRefunds: () => undefined,
    takeBack: null,
    expire: async (id) => fake.change(id, { status: 'cancelled', status_detail: 'expired' }),
    notified: () => receiver.received.map((one) => one.dataId),
    stop: async () => {
      await fake.stop();
      await receiver.stop();
    },
  };
}

const pix = (profile: PlayedBank) => async (): Promise<Harness> => {
  const bank = await new FakeBank(profile).start();
  const receiver = await startHttpReceiver();
  const provider = createPixProvider({ allowLoopback: true, banks: { [profile]: bank.addresses }, retryMs: 1 });
  const credentials = bank.credentials();
  await provider.registerNotifications(`${receiver.url}/api/payments/pix/account/secret`, credentials);
  return {
    provider,
    credentials,
    notificationUrl: 'https://quita.example/api/payments/webhook?account=a1',
    pay: async (id, amountCentavos) => {
      await bank.notify([bank.pay(id, amountCentavos)]);
    },
    refund: async (id, amountCentavos) => {
      bank.giveBack(id, amountCentavos);
    },
    chargebacks: null,
    takeBack: async (id, amountCentavos) => {
      bank.giveBack(id, amountCentavos, { natureza: 'MED_FRAUDE' });
    },
    makeRefunds: (id) => bank.endReturns(id),
    expire: async (id) => bank.expire(id),
    notified: () =>
      receiver.bodies.flatMap((body) =>
        readPixNotification(new TextEncoder().encode(JSON.stringify(body))).map(({ txid }) => txid),
      ),
    stop: async () => {
      provider.close();
      await bank.stop();
      await receiver.stop();
    },
  };
};

const PROVIDERS: readonly [string, PaymentProvider['name'], () => Promise<Harness>][] = [
  ['sandbox', 'sandbox', sandbox],
  ['mercadopago', 'mercadopago', mercadopago],
  ['pix at efi', 'pix', pix('efi')],
  ['pix at bb', 'pix', pix('bb')],
  ['pix at inter', 'pix', pix('inter')],
];

describe.each(PROVIDERS)('payment provider %s', (_title, name, start) => {
  let harness: Harness;
  beforeEach(async () => {
    harness = await start();
  });
  afterEach(() => harness.stop());

  // A charge's id is both its key and its reference, as a bank keeps one id only.
  const input = (change: Partial<CreateChargeInput> = {}, id = randomUUID()): CreateChargeInput => ({
    idempotencyKey: id,
    amountCentavos: 15_075,
    description: 'Fatura 42',
    externalReference: id,
    payer: { firstName: 'Ana', lastName: 'Souza', taxId: { kind: 'CPF', number: '52998224725' } },
    notificationUrl: harness.notificationUrl,
    payable: { kind: 'until', expiresAt: new Date(Date.now() + 3 * DAY_MS) },
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
    expect(parseBrCode(brCodeOf(created.instruments)!)?.amountCentavos).toBe(15_075);
    expect(created.expiresAt).toEqual(asked.payable.expiresAt);
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
      instruments: created.instruments,
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
    expect(new Set(made.map((one) => brCodeOf(one.instruments))).size).toBe(1);
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
    ['an expiry that is too near', { payable: { kind: 'until' as const, expiresAt: new Date(Date.now() + 60_000) } }],
    [
      'an expiry that is too far',
      { payable: { kind: 'until' as const, expiresAt: new Date(Date.now() + 31 * DAY_MS) } },
    ],
    ['no date', { payable: { kind: 'until' as const, expiresAt: new Date(Number.NaN) } }],
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

  describe('refund', () => {
    const paid = async (amountCentavos?: number) => {
      const { created } = await create();
      await harness.pay(created.providerPaymentId, amountCentavos);
      const { endToEndId } = await get(created.providerPaymentId);
      return { providerPaymentId: created.providerPaymentId, endToEndId };
    };
    const give = async (
      of: { readonly providerPaymentId: string; readonly endToEndId: string | null },
      amountCentavos: number,
      refundId: string = randomUUID(),
    ) => {
      const made = await harness.provider.refund({ ...of, refundId, amountCentavos, credentials: harness.credentials });
      harness.makeRefunds(of.providerPaymentId);
      return made;
    };

    it('gives a part back, then the rest, and reports each', async () => {
      expect(harness.provider.capabilities(harness.credentials).refundDays).toBeGreaterThanOrEqual(90);
      const payment = await paid();
      const first = await give(payment, 5_000);
      expect(first).toMatchObject({ kind: 'refund', amountCentavos: 5_000, contestUntil: null });
      expect(await get(payment.providerPaymentId)).toMatchObject({
        status: 'APPROVED',
        refundedCentavos: 5_000,
        reversals: [{ id: first.id, kind: 'refund', state: 'done', amountCentavos: 5_000 }],
      });
      const second = await give(payment, 10_075);
      const after = await get(payment.providerPaymentId);
      expect(after).toMatchObject({ status: 'CANCELLED', chargedBack: false, refundedCentavos: 15_075 });
      expect(after.reversals.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort());
    });

    it('gives what is more than the code asked for', async () => {
      const payment = await paid(20_000);
      await give(payment, 4_925);
      expect(await get(payment.providerPaymentId)).toMatchObject({ status: 'APPROVED', refundedCentavos: 4_925 });
    });

    it('gives nothing back again for the same id, also for calls at once', async () => {
      const payment = await paid();
      const refundId = randomUUID();
      const made = await Promise.all(Array.from({ length: 4 }, () => give(payment, 15_075, refundId)));
      expect(new Set(made.map(({ id }) => id)).size).toBe(1);
      expect(await give(payment, 15_075, refundId)).toMatchObject({ id: made[0]!.id });
      const after = await get(payment.providerPaymentId);
      expect([after.refundedCentavos, after.reversals.length]).toEqual([15_075, 1]);
      await expect(give(payment, 1, refundId)).rejects.toMatchObject({ kind: 'conflict' });
    });

    it.each([0, -1, 1.5])('refuses the amount %p', async (amountCentavos) => {
      await expect(give(await paid(), amountCentavos)).rejects.toMatchObject({ kind: 'rejected' });
    });

    it('refuses more than was paid, and more than is left', async () => {
      const payment = await paid();
      await expect(give(payment, 15_076)).rejects.toMatchObject({ kind: 'conflict' });
      await give(payment, 10_000);
      await expect(give(payment, 5_076)).rejects.toMatchObject({ kind: 'conflict' });
      expect(await get(payment.providerPaymentId)).toMatchObject({ refundedCentavos: 10_000 });
    });

    it('refuses a charge that is not paid, and one that it does not know', async () => {
      const { providerPaymentId } = (await create()).created;
      await expect(give({ providerPaymentId, endToEndId: null }, 1)).rejects.toMatchObject({ kind: 'conflict' });
      const unknown = { providerPaymentId: '404404404', endToEndId: null };
      await expect(give(unknown, 1)).rejects.toMatchObject({ kind: 'not_found' });
    });
  });

  it('reports a chargeback, and one that the creditor won as money that is there again', async () => {
    const { chargebacks } = harness;
    if (chargebacks === null) return;
    const { created } = await create();
    await harness.pay(created.providerPaymentId);
    await harness.refund(created.providerPaymentId, 5_000);
    await chargebacks.begin(created.providerPaymentId);
    const taken = await get(created.providerPaymentId);
    expect(taken).toMatchObject({ status: 'CANCELLED', chargedBack: true });
    expect(taken.reversals).toContainEqual(
      expect.objectContaining({ kind: 'chargeback', state: 'done', amountCentavos: 10_075 }),
    );
    await chargebacks.reverse(created.providerPaymentId);
    const back = await get(created.providerPaymentId);
    expect(back).toMatchObject({
      status: 'APPROVED',
      chargedBack: false,
      paidAmountCentavos: 15_075,
      refundedCentavos: 5_000,
    });
    expect(back.updatedAt?.getTime()).toBeGreaterThanOrEqual(taken.updatedAt?.getTime() ?? Number.NaN);
  });

  it('reports money that a bank took back by itself, with the term in which it may be contested', async () => {
    const { takeBack } = harness;
    if (takeBack === null) return;
    const { created } = await create();
    await harness.pay(created.providerPaymentId);
    await takeBack(created.providerPaymentId, 5_000);
    const charge = await get(created.providerPaymentId);
    expect(charge).toMatchObject({ status: 'APPROVED', refundedCentavos: 5_000, chargedBack: false });
    const [reversal] = charge.reversals;
    expect(reversal).toMatchObject({ kind: 'med_fraude', state: 'done', amountCentavos: 5_000 });
    expect((reversal?.contestUntil?.getTime() ?? 0) - (reversal?.at?.getTime() ?? 0)).toBe(80 * DAY_MS);
  });

  it('tells what a charge was paid by', async () => {
    const { created } = await create();
    expect((await get(created.providerPaymentId)).settlements).toEqual([]);
    await harness.pay(created.providerPaymentId);
    const { settlements, paidAt, endToEndId } = await get(created.providerPaymentId);
    expect(settlements).toMatchObject([{ amountCentavos: 15_075, channel: 'pix', paidAt, endToEndId }]);
  });

  it('makes only instruments of which it says so', async () => {
    const { instruments } = harness.provider.capabilities(harness.credentials);
    const { created } = await create();
    expect(created.instruments.every(({ kind }) => instruments.includes(kind))).toBe(true);
  });

  it('lists what came to the account where it can, and says so where it cannot', async () => {
    const period = { from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + 60_000), page: null };
    const asked = () => harness.provider.listReceived(period, harness.credentials);
    if (!harness.provider.capabilities(harness.credentials).listsReceived) {
      await expect(asked()).rejects.toMatchObject({ kind: 'unsupported' });
      return;
    }
    const { created } = await create();
    await harness.pay(created.providerPaymentId);
    const { endToEndId } = await get(created.providerPaymentId);
    expect(await asked()).toMatchObject({
      items: [{ providerPaymentId: created.providerPaymentId, endToEndId, amountCentavos: 15_075 }],
      next: null,
    });
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
      { providerPaymentId: created.providerPaymentId, instruments: created.instruments },
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
