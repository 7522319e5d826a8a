import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeMercadoPago, type Fault } from '../../../../../testing/fake-mercadopago.ts';
import type { CreateChargeInput, PaymentProvider } from '../../ports/payment-provider.ts';
import { createMercadoPagoProvider } from './mercadopago-provider.ts';

const DAY_MS = 24 * 3_600_000;
const NONSENSE = [
  '',
  'null',
  '[]',
  '"approved"',
  '{}',
  '{"status":"approved"}',
  '<html>502</html>',
  '{"id":1,"status":"appr',
];

let fake: FakeMercadoPago;
let provider: PaymentProvider;
const credentials = () => ({ kind: 'token' as const, accessToken: fake.accessToken });

const providerWaiting = (timeoutMs: number) =>
  createMercadoPagoProvider({ baseUrl: `${fake.baseUrl}/`, timeoutMs, retryBaseMs: 1, maxWaitMs: 1_100 });
// Time limits are short only where no answer comes, so that a busy machine affects no other test.
const providerFor = (fault: Fault) => (fault.kind === 'hang' ? providerWaiting(500) : provider);

beforeEach(async () => {
  fake = await new FakeMercadoPago().start();
  provider = providerWaiting(5_000);
});
afterEach(() => fake.stop());

const input = (change: Partial<CreateChargeInput> = {}): CreateChargeInput => ({
  idempotencyKey: randomUUID(),
  amountCentavos: 15_075,
  description: 'Fatura 42',
  externalReference: randomUUID(),
  payer: { firstName: 'Ana', lastName: 'Souza', taxId: { kind: 'CPF', number: '52998224725' } },
  notificationUrl: 'https://quita.example/api/payments/webhook?account=a1&source_news=webhooks',
  payable: { kind: 'until', expiresAt: new Date(Date.now() + 3 * DAY_MS) },
  credentials: credentials(),
  ...change,
});
const created = async () => (await provider.createCharge(input())).providerPaymentId;
const get = (id: string) => provider.getCharge(id, credentials());
const keys = () => fake.requests.map((request) => request.headers['x-idempotency-key']);
const times = (fault: Fault) => [fault, fault, fault];

describe('Mercado Pago: requests', () => {
  it('sends the documented body', async () => {
    const expiresAt = new Date(Date.now() + 3 * DAY_MS);
    const asked = input({
      payable: { kind: 'until', expiresAt },
      payer: { ...input().payer, email: 'ana@empresa.com.br' },
    });
    await provider.createCharge(asked);
    const [request] = fake.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/v1/payments' });
    expect(request?.headers['x-idempotency-key']).toBe(asked.idempotencyKey);
    expect(request?.body).toMatchObject({
      transaction_amount: 150.75,
      payment_method_id: 'pix',
      external_reference: asked.externalReference,
      notification_url: asked.notificationUrl,
      payer: { email: 'ana@empresa.com.br', first_name: 'Ana', identification: { type: 'CPF', number: '52998224725' } },
    });
    const sent = (request!.body as { date_of_expiration: string }).date_of_expiration;
    expect(sent).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}-03:00$/);
    expect(new Date(sent)).toEqual(expiresAt);
  });

  it('names a company as one, with its CNPJ', async () => {
    const payer = {
      firstName: 'Padaria Ltda',
      lastName: '',
      taxId: { kind: 'CNPJ', number: '12ABC34501DE35' },
    } as const;
    await provider.createCharge(input({ payer }));
    expect(fake.requests[0]?.body).toMatchObject({
      payer: {
        first_name: 'Padaria Ltda',
        last_name: '',
        entity_type: 'association',
        identification: { type: 'CNPJ', number: '12ABC34501DE35' },
      },
    });
  });

  it('gives a debtor without an e-mail an address at the service’s own host', async () => {
    const asked = input();
    await provider.createCharge(asked);
    expect(fake.requests[0]?.body).toMatchObject({ payer: { email: `pix-${asked.externalReference}@quita.example` } });
  });

  it('does not follow a redirect with the token', async () => {
    const elsewhere = await new FakeMercadoPago().start();
    const id = await created();
    fake.failNext(
      ...times({ kind: 'answer', status: 302, headers: { location: `${elsewhere.baseUrl}/v1/payments/${id}` } }),
    );
    await expect(get(id)).rejects.toMatchObject({ kind: 'retryable' });
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.stop();
  });

  it('reports a wrong token, and keeps it out of the error', async () => {
    const wrong = { kind: 'token' as const, accessToken: 'APP_USR-very-secret' };
    const error = await provider.checkCredentials(wrong).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'unauthorized' });
    expect(String(error) + JSON.stringify(error)).not.toContain('very-secret');
    expect(fake.requests).toHaveLength(1);
    for (const unusable of ['', 'a\r\nb']) {
      const credentials = { kind: 'token', accessToken: unusable } as const;
      await expect(provider.checkCredentials(credentials)).rejects.toMatchObject({ kind: 'unauthorized' });
    }
    await expect(provider.checkCredentials(null)).rejects.toMatchObject({ kind: 'unauthorized' });
  });

  it('refuses an account of another country', async () => {
    const foreign = await new FakeMercadoPago({ siteId: 'MLA' }).start();
    const there = createMercadoPagoProvider({ baseUrl: foreign.baseUrl });
    await expect(there.checkCredentials({ kind: 'token', accessToken: foreign.accessToken })).rejects.toMatchObject({
      kind: 'rejected',
    });
    await foreign.stop();
  });
});

describe('Mercado Pago: failures', () => {
  it.each<[string, Fault]>([
    ['500', { kind: 'answer', status: 500 }],
    ['time-out', { kind: 'hang' }],
    ['an answer lost after the work was done', { kind: 'lost_answer' }],
    ['nonsense after the work was done', { kind: 'wrong_answer', status: 201, body: '{"id":' }],
    ['429', { kind: 'answer', status: 429, headers: { 'retry-after': '0' } }],
    ['423', { kind: 'answer', status: 423 }],
  ])('creates one charge in spite of %s, because the key is the same', async (_what, fault) => {
    fake.failNext(fault, fault);
    const asked = input();
    await providerFor(fault).createCharge(asked);
    expect(keys()).toEqual([asked.idempotencyKey, asked.idempotencyKey, asked.idempotencyKey]);
    expect(fake.payments.size).toBe(1);
  });

  it.each<[string, Fault, string, string]>([
    ['500', { kind: 'answer', status: 500 }, 'unknown_outcome', 'retryable'],
    ['time-out', { kind: 'hang' }, 'unknown_outcome', 'retryable'],
    ['a lost answer', { kind: 'lost_answer' }, 'unknown_outcome', 'retryable'],
    ['nonsense', { kind: 'wrong_answer', status: 200, body: '<html>' }, 'unknown_outcome', 'retryable'],
    ['429', { kind: 'answer', status: 429 }, 'retryable', 'retryable'],
    ['424', { kind: 'answer', status: 424 }, 'retryable', 'retryable'],
    ['400', { kind: 'answer', status: 400, body: '{"cause":[{"code":23}]}' }, 'rejected', 'rejected'],
    ['401', { kind: 'answer', status: 401 }, 'unauthorized', 'unauthorized'],
    ['403', { kind: 'answer', status: 403 }, 'unauthorized', 'unauthorized'],
    ['404', { kind: 'answer', status: 404 }, 'rejected', 'not_found'],
    ['409', { kind: 'answer', status: 409 }, 'conflict', 'conflict'],
  ])('after lasting %s a write is %s and a read is %s', async (_what, fault, write, read) => {
    const id = await created();
    fake.failNext(...times(fault));
    await expect(providerFor(fault).createCharge(input())).rejects.toMatchObject({ kind: write });
    fake.clearFaults();
    fake.failNext(...times(fault));
    await expect(providerFor(fault).getCharge(id, credentials())).rejects.toMatchObject({ kind: read });
  });

  it('reports a server that is down as retryable, because it has received nothing', async () => {
    await fake.stop();
    await expect(provider.createCharge(input())).rejects.toMatchObject({ kind: 'retryable' });
    fake = await new FakeMercadoPago().start();
  });

  it('reports an unknown outcome when only the last attempt certainly had no effect', async () => {
    fake.failNext({ kind: 'lost_answer' }, { kind: 'answer', status: 429 }, { kind: 'answer', status: 429 });
    await expect(provider.createCharge(input())).rejects.toMatchObject({ kind: 'unknown_outcome' });
    expect(fake.payments.size).toBe(1);
  });

  it('waits as `Retry-After` says, and returns a long wait to its caller', async () => {
    const id = await created();
    fake.failNext({ kind: 'answer', status: 429, headers: { 'retry-after': '1' } });
    const before = performance.now();
    await get(id);
    expect(performance.now() - before).toBeGreaterThanOrEqual(990);
    fake.failNext({ kind: 'answer', status: 429, headers: { 'retry-after': '120' } });
    await expect(get(id)).rejects.toMatchObject({ kind: 'retryable', retryAfterSeconds: 120, httpStatus: 429 });
  });

  it('returns the codes of a refusal and none of its texts', async () => {
    const body = JSON.stringify({
      message: 'CPF 52998224725 of ana@b.c',
      error: 'bad_request',
      cause: [{ code: 2067, description: 'ana@b.c' }, { code: 'invalid ana@b.c' }],
    });
    fake.failNext({ kind: 'answer', status: 400, body });
    const error = await provider.createCharge(input()).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'rejected', providerCodes: ['2067', 'bad_request'] });
    expect(String(error) + JSON.stringify(error)).not.toMatch(/ana@|52998224725/);
  });

  it('finds a payment that the provider did not return at first', async () => {
    const id = await created();
    fake.hide(id, 1);
    await expect(get(id)).rejects.toMatchObject({ kind: 'not_found' });
    expect(await get(id)).toMatchObject({ status: 'PENDING' });
  });
});

describe('Mercado Pago: never approved by mistake', () => {
  it.each(NONSENSE)('refuses the unreadable answer %p', async (body) => {
    const id = await created();
    fake.failNext(...times({ kind: 'wrong_answer', status: 200, body }));
    await expect(get(id)).rejects.toMatchObject({ kind: 'retryable' });
  });

  it.each([
    ['pending', 'PENDING'],
    ['authorized', 'PENDING'],
    ['in_process', 'PENDING'],
    ['in_mediation', 'PENDING'],
    ['APPROVED', 'PENDING'],
    ['approved ', 'PENDING'],
    ['some_new_state', 'PENDING'],
    ['approved', 'APPROVED'],
    ['rejected', 'REJECTED'],
    ['cancelled', 'CANCELLED'],
    ['refunded', 'CANCELLED'],
    ['charged_back', 'CANCELLED'],
  ])('reads the state %p as %s', async (status, expected) => {
    const id = await created();
    fake.change(id, { status });
    expect(await get(id)).toMatchObject({ status: expected, rawStatus: status });
  });

  it('reports another amount, currency and reference as they are', async () => {
    const id = await created();
    fake.pay(id);
    fake.change(id, { transaction_amount: 1.5, currency_id: 'ARS', external_reference: 'somebody-else' });
    expect(await get(id)).toMatchObject({ amountCentavos: 150, currency: 'ARS', externalReference: 'somebody-else' });
    fake.change(id, {
      external_reference: null,
      transaction_details: { total_paid_amount: 0, net_received_amount: 0, overpaid_amount: 0 },
    });
    expect(await get(id)).toMatchObject({ externalReference: null, paidAmountCentavos: 0 });
  });

  it.each([
    [{ transaction_amount: 150.755 }],
    [{ transaction_amount: -1 }],
    [{ transaction_amount: '150.75' }],
    [{ currency_id: '' }],
    [{ id: 666 }],
    [{ id: 2 ** 60 }],
  ])('cannot read %p', async (change) => {
    const id = await created();
    fake.pay(id);
    fake.change(id, change as object);
    await expect(get(id)).rejects.toMatchObject({ kind: 'retryable' });
  });

  it.each([[{ transaction_amount: 1.5 }], [{ currency_id: 'ARS' }], [{ external_reference: 'other' }]])(
    'gives out no code when the new charge came with %p',
    async (change) => {
      const asked = input();
      await provider.createCharge(asked);
      const body = { ...[...fake.payments.values()][0], ...change };
      fake.failNext({ kind: 'wrong_answer', status: 201, body: JSON.stringify(body) });
      await expect(provider.createCharge(asked)).rejects.toMatchObject({ kind: 'conflict' });
    },
  );

  it('returns no code of a refused charge', async () => {
    const asked = input();
    await provider.createCharge(asked);
    const body = { ...[...fake.payments.values()][0], status: 'rejected', status_detail: 'bank_error' };
    fake.failNext({ kind: 'wrong_answer', status: 201, body: JSON.stringify(body) });
    await expect(provider.createCharge(asked)).rejects.toMatchObject({
      kind: 'rejected',
      providerCodes: ['rejected', 'bank_error'],
    });
  });

  it('finds a charge whose answer was lost', async () => {
    const asked = input();
    fake.failNext(...times({ kind: 'lost_answer' }));
    await expect(provider.createCharge(asked)).rejects.toMatchObject({ kind: 'unknown_outcome' });
    const [found] = await provider.searchByExternalReference(asked.externalReference, credentials());
    expect(found).toMatchObject({ status: 'PENDING', amountCentavos: 15_075 });
    expect(await provider.createCharge(asked)).toMatchObject({
      providerPaymentId: found?.providerPaymentId,
      instruments: found?.instruments,
    });
  });
});
