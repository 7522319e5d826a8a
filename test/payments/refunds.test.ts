import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from '@jest/globals';
import { localDate } from '../../src/kernel/calendar.ts';
import { reconcileRefunds } from '../../src/modules/payments/use-cases/reconcile-refunds.ts';
import { FakeBank } from '../../testing/fake-bank/fake-bank.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { bankMoney } from './bank-money.ts';
import { type ChargedDebtor, openPage, startRealApp } from './real-provider.ts';
import { newDebt, payInSandbox, paymentEvents, readDebt, timelineOf, untilStatus, WEBHOOK_SECRET } from './support.ts';

const bank = await new FakeBank('inter', { wantsScope: false }).start();
afterAll(() => bank.stop());
const real = await opened(startRealApp({ single: false, env: { PAYMENT_PROVIDER: 'mercadopago,pix' } }));
const { app, provider } = real;
const { connected, tell, paid, paymentsOf, give, untilRefunds, untilAtBank } = bankMoney(real, bank);
const client = await connected();

const CASH = { amount: 100, paidAt: '2026-11-01', method: 'cash' };

/** What is due later is due now, and the reconciliation runs. */
async function reconcile({ paymentId }: ChargedDebtor): Promise<void> {
  await app.query('update refunds set ask_at = quita_now() where charge_id = $1 and ask_at is not null', [paymentId]);
  await reconcileRefunds(real.worker.deps());
}

it('gives parts of a payment back until nothing is left, and shows how each stands', async () => {
  const debtor = await paid(client);
  const first = await give(debtor, 30);
  expect([first.status, first.body]).toMatchObject([
    202,
    { paymentId: debtor.paymentId, paid: 100, refunded: 0, refunds: [{ amount: 30, state: 'pending', kind: 'asked' }] },
  ]);
  await untilAtBank(debtor, 1);
  bank.endReturns(debtor.providerId);
  await tell(debtor);
  const [{ reason, failure }] = await untilRefunds(debtor, ['done']);
  expect([reason, failure]).toEqual(['Pagou a mais', null]);
  expect((await give(debtor, 70.01)).body.code).toBe('refund_impossible');
  expect((await give(debtor, 70)).status).toBe(202);
  await untilAtBank(debtor, 2);
  bank.endReturns(debtor.providerId);
  await tell(debtor);
  await untilRefunds(debtor, ['done', 'done']);
  expect((await paymentsOf(debtor))[0]).toMatchObject({ status: 'APPROVED', paid: 100, refunded: 100 });
  expect([(await give(debtor, 0.01)).status, (await readDebt(debtor)).status]).toEqual([409, 'PAID']);
  const [entry] = (await paymentEvents(debtor)).filter(({ change }) => change === 'refund_asked');
  expect(entry).toMatchObject({ paymentId: debtor.paymentId, amount: 30 });
  // What the company itself gives back is nothing that a bank took.
  expect((await paymentEvents(debtor)).filter((one) => one['returnKind'] !== undefined)).toEqual([]);
});

it('never gives back more than was paid, also by many calls at once', async () => {
  const debtor = await paid(client);
  const answers = await Promise.all(Array.from({ length: 6 }, () => give(debtor, 30)));
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(3);
  expect(new Set(answers.map(({ status, body }) => body.code ?? status))).toEqual(new Set([202, 'refund_impossible']));
  const made = await untilAtBank(debtor, 3);
  expect(made.map(({ valor }) => valor)).toEqual(['30.00', '30.00', '30.00']);
});

it('gives nothing back again for the same Idempotency-Key', async () => {
  const debtor = await paid(client);
  const key = randomUUID();
  const answers = [await give(debtor, 40, { key }), await give(debtor, 40, { key })];
  expect(answers.map(({ status, body }) => [status, body.refunds.length])).toEqual([
    [202, 1],
    [202, 1],
  ]);
  await untilAtBank(debtor, 1);
  expect((await paymentsOf(debtor))[0].refunds).toHaveLength(1);
});

it('refuses what is too old, what did not come by a provider, and who may not ask', async () => {
  const debtor = await paid(client);
  const path = `/api/payments/${debtor.id}/refund`;
  const body = { amount: 1, reason: 'Engano' };
  const stranger = await app.newClient();
  expect((await stranger.call('POST', path, body)).status).toBe(404);
  expect((await stranger.call('GET', `/api/debts/${debtor.id}/payments`)).status).toBe(404);
  const { apiKey } = (await client.call('POST', '/api/onboarding/me/api-key')).body;
  expect((await app.call<{ code: string }>('POST', path, { body, bearer: apiKey })).body.code).toBe(
    'access_token_required',
  );
  expect((await client.call('POST', path, { amount: 1, reason: '' })).status).toBe(400);
  expect((await give(debtor, 1, { paymentId: randomUUID() })).status).toBe(404);
  await app.query(`update charges set paid_at = paid_at - interval '91 days' where id = $1`, [debtor.paymentId]);
  expect((await give(debtor, 1)).body.code).toBe('refund_impossible');

  const outside = await newDebt(app, { originalAmount: 100 }, client);
  expect((await give(outside, 1)).body.code).toBe('refund_impossible');
  expect((await client.call('POST', `/api/debts/${outside.id}/settle`, CASH)).status).toBe(200);
  const [payment] = await paymentsOf(outside);
  expect(payment).toMatchObject({ provider: 'outside', paid: 100, kind: 'settlement', refunds: [] });
  expect((await give(outside, 1, { paymentId: payment.paymentId })).body.code).toBe('refund_impossible');
});

it('asks which payment is meant where there are several', async () => {
  const debtor = await paid(client, 6_000);
  const rest = await openPage(app, debtor);
  bank.pay(rest.providerId);
  await tell(rest);
  await untilStatus(debtor, 'APPROVED');
  const refused = await give(debtor, 10);
  expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([400, '/paymentId']);
  expect((await give(debtor, 10, { paymentId: debtor.paymentId })).body).toMatchObject({
    paymentId: debtor.paymentId,
    kind: 'part',
  });
  expect((await paymentsOf(debtor)).map(({ paymentId }: { paymentId: string }) => paymentId)).toEqual([
    rest.paymentId,
    debtor.paymentId,
  ]);
});

it('finds a refund whose answer was lost, and sends it once', async () => {
  const debtor = await paid(client);
  const isRefund = ({ path }: { readonly path: string }) => path.includes('/devolucao/');
  bank.failNextWhere(isRefund, { kind: 'lost_answer' });
  bank.failWhere((request) => isRefund(request) && request.method === 'GET', { kind: 'answer', status: 503 });
  expect((await give(debtor, 25)).status).toBe(202);
  await untilAtBank(debtor, 1);
  await until('the question is over', async () => {
    const [row] = await app.query(`select from refunds where charge_id = $1 and tries = 1 and ask_at > quita_now()`, [
      debtor.paymentId,
    ]);
    return row ?? null;
  });
  bank.clearFaults();
  bank.endReturns(debtor.providerId);
  await until('the refund is found', async () => {
    await reconcile(debtor);
    return (await paymentsOf(debtor))[0].refunds[0].state === 'done';
  });
  expect(bank.charge(debtor.providerId).pix[0]!.devolucoes).toHaveLength(1);
});

it('shows a refund that the bank did not make, which may be asked for again', async () => {
  const debtor = await paid(client);
  await give(debtor, 100);
  await untilAtBank(debtor, 1);
  bank.endReturns(debtor.providerId, 'NAO_REALIZADO');
  await tell(debtor);
  expect(await untilRefunds(debtor, ['failed'])).toMatchObject([{ failure: 'not_made' }]);
  expect((await timelineOf(debtor)).filter(({ change }) => change === 'refund_failed')).toHaveLength(1);
  expect((await give(debtor, 100)).status).toBe(202);
});

it('ends a refund of an account that is not kept any more', async () => {
  const gone = await connected();
  const debtor = await paid(gone);
  bank.failWhere(({ method }) => method === 'PUT', { kind: 'answer', status: 503 });
  expect((await give(debtor, 10)).status).toBe(202);
  await app.query('delete from client_credentials where client_id = $1', [gone.id]);
  await until('the refund has ended', async () => {
    await reconcile(debtor);
    return (await paymentsOf(debtor))[0].refunds[0].state !== 'pending';
  });
  bank.clearFaults();
  expect((await paymentsOf(debtor))[0].refunds).toMatchObject([{ state: 'failed', failure: 'account_gone' }]);
});

it('gives what was more than owed back once, where the client wants that', async () => {
  expect((await client.call('GET', '/api/onboarding/me')).body.autoRefundExcess).toBe(false);
  const before = await paid(client, 12_000);
  const change = await client.call('PATCH', '/api/onboarding/me', { autoRefundExcess: true });
  expect(change.body.autoRefundExcess).toBe(true);
  const debtor = await paid(client, 12_345);
  for (let times = 0; times < 2; times += 1) {
    const [made] = await untilAtBank(debtor, 1);
    expect(made).toMatchObject({ valor: '23.45' });
    bank.endReturns(debtor.providerId);
    await tell(debtor);
    expect(await untilRefunds(debtor, ['done'])).toMatchObject([{ amount: 23.45, kind: 'excess', reason: null }]);
  }
  expect((await paymentsOf(before))[0].refunds).toEqual([]);
  // A second payment was not owed at all.
  const twice = await openPage(app, await newDebt(app, { originalAmount: 100 }, client));
  expect((await client.call('POST', `/api/debts/${twice.id}/settle`, CASH)).status).toBe(200);
  bank.pay(twice.providerId);
  await tell(twice);
  expect(await untilAtBank(twice, 1)).toMatchObject([{ valor: '100.00' }]);
  const kinds = (await paymentsOf(twice)).map(({ kind }: { kind: string }) => kind);
  expect(kinds.sort()).toEqual(['duplicate', 'settlement']);
  expect((await client.call('PATCH', '/api/onboarding/me', { autoRefundExcess: false })).status).toBe(200);
});

it('gives a second payment back by itself, also by a code of the day before', async () => {
  const owner = await connected();
  await owner.call('PATCH', '/api/onboarding/me', { autoRefundExcess: true });
  const twice = await openPage(app, await newDebt(app, { originalAmount: 100 }, owner));
  await app.query('update charges set asked_on = asked_on - 1 where id = $1', [twice.paymentId]);
  // The code counts as of its own day, which is before that of the cash.
  const cash = { ...CASH, paidAt: localDate(Date.now(), -3) };
  expect((await owner.call('POST', `/api/debts/${twice.id}/settle`, cash)).body.status).toBe('PAID');
  bank.pay(twice.providerId);
  await tell(twice);
  expect(await untilAtBank(twice, 1)).toMatchObject([{ valor: '100.00' }]);
  const second = (await paymentsOf(twice)).find(({ kind }: { kind: string }) => kind === 'duplicate');
  expect(second.refunds).toMatchObject([{ amount: 100, kind: 'excess' }]);
});

it('gives back what a whole code of the day before brings beyond a part that came meanwhile', async () => {
  const owner = await connected();
  await owner.call('PATCH', '/api/onboarding/me', { autoRefundExcess: true });
  const debtor = await openPage(app, await newDebt(app, { originalAmount: 100 }, owner));
  await app.query('update charges set asked_on = asked_on - 1 where id = $1', [debtor.paymentId]);
  const part = { ...CASH, amount: 30, paidAt: localDate(Date.now(), -3) };
  expect((await owner.call('POST', `/api/debts/${debtor.id}/settle`, part)).body.status).toBe('ON_HOLD');
  bank.pay(debtor.providerId);
  await tell(debtor);
  // The whole code has covered the debt, and the part before it is too much.
  expect(await untilAtBank(debtor, 1)).toMatchObject([{ valor: '30.00' }]);
});

it('settles nothing by a second payment that went back, when the first is taken back as a mistake', async () => {
  const debtor = await openPage(app, await newDebt(app, { originalAmount: 100 }, client));
  expect((await client.call('POST', `/api/debts/${debtor.id}/settle`, CASH)).body.status).toBe('PAID');
  bank.pay(debtor.providerId);
  await tell(debtor);
  const payments = await until('the second payment is known', async () => {
    const items = await paymentsOf(debtor);
    return items.some(({ kind }: { kind: string }) => kind === 'duplicate') ? items : null;
  });
  const idOf = (wanted: string) => payments.find(({ kind }: { kind: string }) => kind === wanted).paymentId as string;
  expect((await give(debtor, 100, { paymentId: idOf('duplicate') })).status).toBe(202);
  await untilAtBank(debtor, 1);
  const undo = () => client.call('POST', `/api/settlements/${idOf('settlement')}/undo`);
  // As long as it may still come back, nobody knows whether the second payment settles the debt.
  expect(await undo()).toMatchObject({ status: 409, body: { code: 'debt_state' } });
  bank.endReturns(debtor.providerId);
  await tell(debtor);
  await until('the money is back', async () =>
    (await paymentsOf(debtor)).some(({ refunded }: { refunded: number }) => refunded === 100),
  );
  expect((await undo()).status).toBe(200);
  expect((await readDebt(debtor)).status).not.toBe('PAID');
  expect((await client.call('GET', `/api/debts/${debtor.id}/quote`)).body.total).toBe(100);
  expect((await client.call('GET', `/api/payments/${debtor.id}`)).body.status).toBe('PENDING');
  expect((await client.call('POST', `/api/debts/${debtor.id}/settle`, CASH)).body.status).toBe('PAID');
});

it('gives money back by Mercado Pago and in the sandbox, each by the one that took it', async () => {
  const other = await app.newClient();
  const account = { provider: 'mercadopago', accessToken: provider.accessToken, webhookSecret: WEBHOOK_SECRET };
  expect((await other.call('POST', '/api/payment-accounts', account)).status).toBe(201);
  const debtor = await openPage(app, await newDebt(app, { originalAmount: 100 }, other));
  provider.pay(debtor.providerId);
  expect(await provider.notify(debtor.providerId, { baseUrl: app.url })).toBe(200);
  await untilStatus(debtor, 'APPROVED');
  expect((await give(debtor, 30)).status).toBe(202);
  await untilRefunds(debtor, ['done']);
  expect((await paymentsOf(debtor))[0]).toMatchObject({ provider: 'mercadopago', refunded: 30 });

  const tried = await newDebt(app, { originalAmount: 100 }, other);
  await other.call('POST', `/api/campaigns/${tried.campaignId}/launch?sandbox=true`);
  await until('the simulated debtor pays', async () => (await payInSandbox(tried)).status < 300);
  await until('the payment is seen', async () => (await paymentsOf(tried))[0]?.paid > 0);
  expect((await give(tried, 100)).status).toBe(202);
  await untilRefunds(tried, ['done']);
  expect((await paymentsOf(tried))[0]).toMatchObject({ provider: 'sandbox', refunded: 100 });
});
