import { afterEach, describe, expect, it } from '@jest/globals';
import { findOrMakeCharge } from '../../src/modules/payments/use-cases/find-or-make-charge.ts';
import { parseBrCode } from '../../testing/br-code.ts';
import { opened } from '../../testing/opened.ts';
import { newCharge, openPage, startRealApp } from './real-provider.ts';
import { newDebt, paymentEvents, readPayment, timelineOf } from './support.ts';

const real = await opened(startRealApp({ roles: ['api'] }));

afterEach(() => real.provider.clearFaults());

const created = () => real.provider.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/payments');

describe('the charge of a debt', () => {
  it('is created once for concurrent views of the page', async () => {
    const debtor = await newDebt(real.app);
    const pages = await Promise.all(Array.from({ length: 10 }, () => real.app.get(`/checkout/${debtor.id}`)));
    expect(pages.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const made = [...real.provider.payments.values()].filter(({ notification_url }) =>
      notification_url.includes(debtor.client.id),
    );
    expect(made).toHaveLength(1);
    const payment = await readPayment(debtor);
    expect(made[0]).toMatchObject({
      external_reference: payment.paymentId,
      transaction_amount: 150.75,
      notification_url: `http://localhost:0/api/payments/webhook?account=${debtor.client.id}&source_news=webhooks`,
    });
    expect(parseBrCode(payment.brCode ?? '')).not.toBeNull();
    expect((await timelineOf(debtor)).filter(({ kind }) => kind === 'charge_created')).toHaveLength(1);
    const days = (Date.parse(payment.expiresAt ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(2.99);
    expect(days).toBeLessThanOrEqual(3);
  });

  it('is requested again with the same key when the answer was lost', async () => {
    const before = created().length;
    const lost = { kind: 'lost_answer' } as const;
    real.provider.failNext(lost, lost, lost);
    const debtor = await newDebt(real.app);
    const page = await real.app.get<string>(`/checkout/${debtor.id}`);
    expect(page.body).toContain('Não foi possível gerar o código Pix agora');
    expect(await readPayment(debtor)).toMatchObject({ status: 'PENDING', brCode: null });
    expect(await paymentEvents(debtor)).toMatchObject([{ kind: 'payment_changed', problem: 'provider_unavailable' }]);

    await real.app.query('update charges set retry_at = now() where debt_id = $1', [debtor.id]);
    await openPage(real.app, debtor);
    const asked = created().slice(before);
    expect(new Set(asked.map(({ headers }) => headers['x-idempotency-key'])).size).toBe(1);
    const references = asked.map(({ body }) => (body as { external_reference: string }).external_reference);
    const made = [...real.provider.payments.values()].filter((one) =>
      references.includes(one.external_reference ?? ''),
    );
    expect(made).toHaveLength(1);
  });

  it('does not cause a request to a failing provider at every view of the page', async () => {
    const debtor = await newDebt(real.app);
    real.provider.failNext({ kind: 'answer', status: 429, headers: { 'retry-after': '120' } });
    await real.app.get(`/checkout/${debtor.id}`);
    const before = created().length;
    for (let look = 0; look < 3; look++) expect((await real.app.get(`/checkout/${debtor.id}`)).status).toBe(200);
    expect(created()).toHaveLength(before);
  });

  it('is not requested again when the provider refuses it, and the client sees the problem', async () => {
    const debtor = await newDebt(real.app);
    real.provider.failNext({ kind: 'answer', status: 400, body: '{"cause":[{"code":2067}]}' });
    await real.app.get(`/checkout/${debtor.id}`);
    expect(await paymentEvents(debtor)).toMatchObject([{ kind: 'payment_changed', problem: 'charge_refused' }]);
    expect((await readPayment(debtor)).status).toBe('PENDING');
  });

  it('never gets the code of another debt or another amount', async () => {
    const debtor = await newDebt(real.app);
    real.provider.failNext({
      kind: 'wrong_answer',
      status: 201,
      body: JSON.stringify({ id: 1, status: 'pending', transaction_amount: 1, currency_id: 'BRL' }),
    });
    await real.app.get(`/checkout/${debtor.id}`);
    // The answer was that of another charge. The right charge exists and is found by our reference.
    const { brCode, providerPaymentId } = await readPayment(debtor);
    expect(real.provider.payment(providerPaymentId ?? '').point_of_interaction.transaction_data.qr_code).toBe(brCode);
    expect(parseBrCode(brCode ?? '')).toMatchObject({ amountCentavos: 15_075 });
  });

  it('is renewed before it expires, and an expired code is never shown', async () => {
    const debtor = await newCharge(real);
    await real.app.query(`update charges set expires_at = now() - interval '1 second' where id = $1`, [
      debtor.paymentId,
    ]);
    expect(await readPayment(debtor)).toMatchObject({ status: 'PENDING', brCode: null });
    const renewed = await openPage(real.app, debtor);
    expect(renewed.paymentId).not.toBe(debtor.paymentId);
    expect((await readPayment(debtor)).brCode).not.toBeNull();
  });

  it.each(['PAID', 'STOPPED'])('is not created for a debt that is %s', async (status) => {
    const debtor = await newDebt(real.app);
    await real.app.query('update debts set status = $2 where id = $1', [debtor.id, status]);
    const request = { clientId: debtor.client.id, debtId: debtor.id };
    expect(await findOrMakeCharge(real.worker.deps())(request)).toBeNull();
    expect((await readPayment(debtor)).paymentId).toBeNull();
  });
});
