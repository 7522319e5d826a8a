import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import type { CampaignsApp } from '../../testing/campaigns-app.ts';
import { collector, ofKind, sent } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { readPdf } from '../../testing/read-pdf.ts';
import { downloadPath, verifyPath } from '../../testing/receipts-harness.ts';
import { newCharge, openPage, realEnv, startRealApp, tell } from './real-provider.ts';
import {
  type Debtor,
  newDebt,
  paymentEvents,
  readDebt,
  readPayment,
  startPaymentsApp,
  timelineOf,
  untilStatus,
} from './support.ts';

const real = await opened(startRealApp());
const sandbox = await opened(startPaymentsApp());

const CASH = { amount: 100, paidAt: '2026-11-02', method: 'cash', note: 'Pago no balcão com Márcia' };

const settle = ({ client, id }: Debtor, payment: object = {}) =>
  client.call('POST', `/api/debts/${id}/settle`, { ...CASH, ...payment });
const statistics = async ({ client, campaignId }: Debtor) =>
  (await client.call('GET', `/api/campaigns/${campaignId}/statistics`)).body;
const newHundred = (app = real.app): Promise<Debtor> => newDebt(app, { originalAmount: 100 });

const protocolOf = (debtor: Debtor): Promise<string> =>
  until('the receipt is issued', async () => {
    const { receiptProtocol } = (await readPayment(debtor)) as { receiptProtocol?: string | null };
    return receiptProtocol ?? null;
  });

async function textOf(app: CampaignsApp, protocol: string): Promise<string> {
  const file = await fetch(app.url + downloadPath(protocol));
  return (await readPdf(new Uint8Array(await file.arrayBuffer()))).text.replace(/\s+/g, ' ');
}

describe('POST /api/debts/:id/settle', () => {
  it('settles the debt, cancels its code and issues a receipt that says how it was paid', async () => {
    const debtor = await newCharge(real, { originalAmount: 100 });
    const { status, body } = await settle(debtor);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: debtor.id, status: 'PAID' });
    expect(body).not.toHaveProperty('timeline');
    const timeline = await timelineOf(debtor);
    const approved = timeline.find(({ kind }: { kind: string }) => kind === 'payment_approved');
    expect(approved).toMatchObject({
      amount: 100,
      method: 'cash',
      paidAt: '2026-11-02T15:00:00.000Z',
      note: 'Pago no balcão com Márcia',
    });
    await until('the code is cancelled', () => real.provider.payment(debtor.providerId).status === 'cancelled');
    const protocol = await protocolOf(debtor);
    expect(await readPayment(debtor)).toEqual({
      debtId: debtor.id,
      paymentId: approved?.['paymentId'],
      providerPaymentId: null,
      status: 'APPROVED',
      amount: 100,
      currency: 'BRL',
      brCode: null,
      expiresAt: null,
      paidAt: '2026-11-02T15:00:00.000Z',
      receiptProtocol: protocol,
    });
    expect((await real.app.get(`/api/checkout/${debtor.id}/status`)).body).toEqual({ status: 'APPROVED' });
    const text = await textOf(real.app, protocol);
    expect(text).toContain('em dinheiro, em 02/11/2026, e por este termo lhe dá quitação total');
    expect(text).toContain('Dinheiro, recebido diretamente pelo credor');
    expect(text).not.toContain('Pix');
    const page = (await real.app.get<string>(verifyPath(protocol))).body;
    expect(page).toContain('<dd>02/11/2026</dd>');
    expect(await statistics(debtor)).toMatchObject({ payments: { approved: 1 }, amount: { recovered: 100 } });
    const { daily } = (await debtor.client.call('GET', '/api/dashboard?sandbox=false')).body;
    expect(daily.at(-1)).toMatchObject({ payments: 1, recovered: 100 });
    for (const seen of [text, page, (await real.app.get<string>(`/checkout/${debtor.id}`)).body]) {
      expect(seen).not.toContain('Márcia');
    }
  });

  it.each([
    ['pix', 'por Pix'],
    ['bank_transfer', 'por transferência bancária'],
    ['boleto', 'por boleto'],
    ['card', 'por cartão'],
    ['cheque', 'em cheque'],
    ['other', 'por outro meio de pagamento'],
  ])('writes %s as “%s”', async (method, words) => {
    const debtor = await newHundred(sandbox);
    expect((await settle(debtor, { method })).status).toBe(200);
    expect(await textOf(sandbox, await protocolOf(debtor))).toContain(`${words}, em 02/11/2026`);
  });

  it('holds an underpaid debt, cancels the code that asks for too much, and the rest settles it', async () => {
    const debtor = await newCharge(real, { originalAmount: 100 });
    const { body } = await settle(debtor, { amount: 40 });
    expect(body.status).toBe('ON_HOLD');
    expect(await paymentEvents(debtor)).toMatchObject([
      {
        kind: 'payment_changed',
        problem: 'underpaid',
        amount: 40,
        expectedAmount: 100,
        method: 'cash',
        note: 'Pago no balcão com Márcia',
      },
    ]);
    await until('the code is cancelled', () => real.provider.payment(debtor.providerId).status === 'cancelled');
    const shown = await until('the code is not shown any more', async () => {
      const payment = await readPayment(debtor);
      return payment.brCode === null ? payment : null;
    });
    expect(shown.status).toBe('PENDING');
    expect(await statistics(debtor)).toMatchObject({ payments: { approved: 0 }, amount: { recovered: 0 } });

    await real.app.query(`update debts set status = 'IN_COLLECTION' where id = $1`, [debtor.id]);
    const rest = await openPage(real.app, debtor);
    expect(await readPayment(debtor)).toMatchObject({ amount: 60 });
    real.provider.pay(rest.providerId, 60);
    await tell(real, rest);
    await untilStatus(debtor, 'APPROVED');
    expect(await statistics(debtor)).toMatchObject({ payments: { approved: 1 }, amount: { recovered: 100 } });
    const text = await textOf(real.app, await protocolOf(debtor));
    expect(text).toContain('em 2 pagamentos, o último por Pix');
    expect(text).toContain('R$ 40,00 em dinheiro, em 02/11/2026; R$ 60,00 por Pix');
  });

  it('asks the debtor for the rest alone when a request to the provider had failed before', async () => {
    const debtor = await newHundred();
    real.provider.failNext(...Array.from({ length: 4 }, () => ({ kind: 'answer', status: 500 }) as const));
    await real.app.get(`/checkout/${debtor.id}`);
    real.provider.clearFaults();
    expect((await settle(debtor, { amount: 40 })).body.status).toBe('ON_HOLD');
    await real.app.query(`update debts set status = 'IN_COLLECTION' where id = $1`, [debtor.id]);
    await real.app.query('update charges set retry_at = null where debt_id = $1', [debtor.id]);
    await openPage(real.app, debtor);
    expect(await readPayment(debtor)).toMatchObject({ amount: 60, status: 'PENDING' });
    const charges = await real.app.query(
      `select provider, status, superseded_at is not null as superseded, amount_centavos::int as centavos from charges
       where debt_id = $1 order by attempt`,
      [debtor.id],
    );
    expect(charges).toEqual([
      { provider: 'mercadopago', status: 'CANCELLED', superseded: true, centavos: 10_000 },
      { provider: 'outside', status: 'PENDING', superseded: false, centavos: 4_000 },
      { provider: 'mercadopago', status: 'PENDING', superseded: false, centavos: 6_000 },
    ]);
  });

  it('settles with more than is open, and shows the excess', async () => {
    const debtor = await newHundred(sandbox);
    expect((await settle(debtor, { amount: 40 })).body.status).toBe('ON_HOLD');
    expect((await settle(debtor, { amount: 70.5, note: null })).body.status).toBe('PAID');
    expect((await paymentEvents(debtor)).at(-1)).toMatchObject({
      kind: 'payment_approved',
      amount: 70.5,
      overpaidAmount: 10.5,
    });
    expect(await statistics(debtor)).toMatchObject({ amount: { recovered: 110.5 } });
  });

  it('gives up what is open after all payments, and not what one of a later day has paid', async () => {
    const debtor = await newHundred(sandbox);
    const today = localDate(Date.now(), -3);
    expect((await settle(debtor, { amount: 30, paidAt: addDays(today, -2) })).body.status).toBe('ON_HOLD');
    const last = { amount: 60, paidAt: addDays(today, -9), rest: 'waive' };
    expect((await settle(debtor, last)).body.status).toBe('PAID');
    expect((await paymentEvents(debtor)).at(-1)).toMatchObject({
      kind: 'payment_approved',
      amount: 60,
      waived: 10,
      paidAt: `${last.paidAt}T15:00:00.000Z`,
    });
    const { items } = (await debtor.client.call('GET', '/api/inbox?reason=overpaid')).body;
    expect(items).toEqual([]);
  });

  it('shows a second payment as a duplicate, whichever of the two came first', async () => {
    const debtor = await newCharge(real, { originalAmount: 100 });
    real.provider.pay(debtor.providerId);
    await tell(real, debtor);
    await untilStatus(debtor, 'APPROVED');
    const { status, body } = await settle(debtor);
    expect([status, body.status]).toEqual([200, 'PAID']);
    expect(await paymentEvents(debtor)).toMatchObject([
      { kind: 'payment_approved', paymentId: debtor.paymentId },
      { kind: 'payment_duplicate', amount: 100, method: 'cash' },
    ]);
    expect((await readPayment(debtor)).paymentId).toBe(debtor.paymentId);

    const other = await newCharge(real, { originalAmount: 100 });
    await settle(other);
    // The debtor had paid before the code could be cancelled.
    real.provider.pay(other.providerId);
    await tell(real, other);
    await until('the second payment is seen', async () => (await paymentEvents(other)).length === 2);
    expect(await paymentEvents(other)).toMatchObject([
      { kind: 'payment_approved', method: 'cash' },
      { kind: 'payment_duplicate', paymentId: other.paymentId },
    ]);
    expect(await statistics(other)).toMatchObject({ payments: { approved: 1 }, amount: { recovered: 200 } });
  });

  it.each(['DISPUTED', 'OPTED_OUT', 'STOPPED', 'EXHAUSTED', 'ON_HOLD', 'UNREACHABLE'])(
    'settles a debt that is %s',
    async (status) => {
      const debtor = await newHundred(sandbox);
      await sandbox.query('update debts set status = $2 where id = $1', [debtor.id, status]);
      expect((await settle(debtor)).body.status).toBe('PAID');
    },
  );

  it('asks nobody to refund a payment that pays the debt because the one before it has gone back', async () => {
    const debtor = await newCharge(real, { originalAmount: 100 });
    real.provider.pay(debtor.providerId, 100);
    await tell(real, debtor);
    await untilStatus(debtor, 'APPROVED');
    real.provider.change(debtor.providerId, { status: 'charged_back' });
    await tell(real, debtor);
    await until('the chargeback', async () =>
      (await timelineOf(debtor)).some((one) => one['change'] === 'charged_back'),
    );
    expect((await settle(debtor)).status).toBe(200);
    const [duplicate] = (await timelineOf(debtor)).filter(({ kind }) => kind === 'payment_duplicate');
    expect(duplicate).toMatchObject({ amount: 100, covers: true });
    expect((await debtor.client.call('GET', '/api/inbox')).body.items).toEqual([]);
    const told = await until('the event', async () => {
      const { items } = (await debtor.client.call('GET', '/api/events?limit=100')).body;
      return items.find(({ type }: { type: string }) => type === 'payment.duplicate') ?? null;
    });
    expect(told.data).toMatchObject({ paymentId: duplicate!['paymentId'], amount: 100, covers: true });
  });

  it('closes the conversation: the debtor gets the receipt once, and a later message is answered with it', async () => {
    const client = collector(await sandbox.newClient());
    const debtId = await client.launchOne({ debtorPhone: '+5511980007000', originalAmount: 100 });
    await client.reaches(debtId, 'it was contacted', (debt) => sent(debt, 'collection').length > 0);
    const holds = () =>
      sandbox.query(`select debt_id from contact_ledger where debt_id = $1 and kind = 'reservation'`, [debtId]);
    await client.call('POST', `/api/debts/${debtId}/settle`, CASH);
    const paid = await client.reaches(debtId, 'the receipt was sent', (debt) => sent(debt, 'receipt').length > 0);
    expect(paid.status).toBe('PAID');
    const contacts = sent(paid, 'collection').length;
    await client.say(debtId, 'Quanto eu devo?');
    const after = await client.reaches(debtId, 'the message was answered', (debt) => sent(debt, 'reply').length > 0);
    expect(sent(after, 'reply')[0]?.['text']).toContain('/api/receipts/download/');
    expect(sent(after, 'receipt')).toHaveLength(1);
    expect(sent(after, 'collection')).toHaveLength(contacts);
    expect(ofKind(after, 'receipt_issued')).toHaveLength(1);
    expect(await holds()).toEqual([]);
    for (const { text } of await client.outbox(debtId)) expect(text).not.toContain('Márcia');
  });

  it('settles every row of a debt that was imported again', async () => {
    const client = collector(await sandbox.newClient());
    const input = { debtorPhone: '+5511980007001', originalAmount: 100 };
    const ended = await client.launchOne(input, 3);
    await sandbox.query(`update debts set status = 'EXHAUSTED' where id = $1`, [ended]);
    const again = await client.launchOne(input, 3);
    expect((await client.call('POST', `/api/debts/${ended}/settle`, CASH)).body.status).toBe('PAID');
    expect((await client.debt(again)).status).toBe('PAID');
    await client.call('POST', `/api/debts/${again}/settle`, CASH);
    expect((await client.debt(again)).timeline.at(-1)).toMatchObject({ kind: 'payment_duplicate' });
  });

  it('stores no note with a debt whose debtor was erased, and counts the payment', async () => {
    const debtor = await newHundred(sandbox);
    await sandbox.query(
      `update debts set status = 'EXHAUSTED', debtor_name = '(dados apagados)', debtor_tax_id = '', debtor_phone = '',
         erased_at = now(), erased_person_key = 'k' where id = $1`,
      [debtor.id],
    );
    expect((await settle(debtor)).body.status).toBe('PAID');
    expect(JSON.stringify(await readDebt(debtor))).not.toContain('Márcia');
    expect(await sandbox.query('select note from charges where debt_id = $1', [debtor.id])).toEqual([{ note: null }]);
    expect(await statistics(debtor)).toMatchObject({ amount: { recovered: 100 } });
  });

  it('cancels the code after a crash that came between the answer and the worker', async () => {
    const alone = await startRealApp({ roles: ['api'] });
    let worker: CampaignsApp | undefined;
    try {
      const debtor = await newCharge(alone, { originalAmount: 100 });
      expect((await settle(debtor)).status).toBe(200);
      expect(alone.provider.payment(debtor.providerId).status).toBe('pending');
      worker = await startPaymentsApp({ database: alone.app.database, env: realEnv(alone.provider, true) });
      await until('the code is cancelled', () => alone.provider.payment(debtor.providerId).status === 'cancelled');
      expect(await protocolOf(debtor)).toMatch(/^QT-/);
    } finally {
      await worker?.close();
      await alone.close();
    }
  });

  it('takes an access token only, and knows only the caller’s own debts', async () => {
    const debtor = await newHundred(sandbox);
    const key = await sandbox.post<{ apiKey: string }>('/api/onboarding/me/api-key', undefined, debtor.client.token);
    const byKey = await sandbox.post<{ code: string }>(`/api/debts/${debtor.id}/settle`, CASH, key.body.apiKey);
    expect([byKey.status, byKey.body.code]).toEqual([401, 'access_token_required']);
    const stranger = await sandbox.newClient();
    for (const id of [debtor.id, randomUUID(), 'nonsense']) {
      const { status, body } = await stranger.call('POST', `/api/debts/${id}/settle`, CASH);
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
    expect((await readDebt(debtor)).status).toBe('IMPORTED');
  });

  it('lists all problems of a body at once', async () => {
    const debtor = await newHundred(sandbox);
    const problems = async (body: unknown): Promise<unknown[]> => {
      const answer = await debtor.client.call('POST', `/api/debts/${debtor.id}/settle`, body);
      expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
      return answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]);
    };
    expect(await problems({})).toEqual([
      ['/amount', 'required'],
      ['/paidAt', 'required'],
      ['/method', 'required'],
    ]);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    expect(await problems({ amount: 10.999, paidAt: tomorrow, method: 'gold', note: 'x'.repeat(1_001) })).toEqual([
      ['/amount', 'amount_invalid'],
      ['/paidAt', 'date_invalid'],
      ['/method', 'invalid_value'],
      ['/note', 'too_long'],
    ]);
    for (const amount of [0, -1, 100_000_000, '100', null]) {
      const code = typeof amount === 'number' ? 'amount_invalid' : 'invalid_type';
      expect(await problems({ ...CASH, amount })).toEqual([['/amount', code]]);
    }
    for (const paidAt of ['2020-01-01', '20/11/2026', 'x'.repeat(100_000)]) {
      expect(await problems({ ...CASH, paidAt })).toEqual([['/paidAt', 'date_invalid']]);
    }
    expect((await settle(debtor, { note: '😀'.repeat(1_000), amount: 99_999_999.99 })).status).toBe(200);
  });
});
