import { describe, expect, it } from '@jest/globals';
import { opened } from '../../testing/opened.ts';
import {
  newDebt,
  notify,
  payInSandbox,
  paymentEvents,
  readDebt,
  readPayment,
  startPaymentsApp,
  timelineOf,
  untilStatus,
} from './support.ts';

const app = await opened(startPaymentsApp());

describe('a payment in the sandbox', () => {
  it('becomes APPROVED through the bank’s signed notification', async () => {
    const debtor = await newDebt(app);
    expect(await readPayment(debtor)).toEqual({
      debtId: debtor.id,
      paymentId: null,
      providerPaymentId: null,
      status: 'PENDING',
      amount: 150.75,
      currency: 'BRL',
      brCode: null,
      expiresAt: null,
      paidAt: null,
      receiptProtocol: null,
    });

    expect((await payInSandbox(debtor)).status).toBe(202);
    const payment = await untilStatus(debtor, 'APPROVED');
    expect(payment.providerPaymentId).toMatch(/^sbx_/);
    expect(payment.brCode).toBeNull();
    expect(Date.parse(payment.paidAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
    expect((await readDebt(debtor)).status).toBe('PAID');
    const kinds = (await timelineOf(debtor)).map(({ kind }) => kind);
    // The receipt is issued later.
    expect(kinds.slice(0, 4)).toEqual(['imported', 'charge_created', 'payment_approved', 'status_changed']);
    expect(await paymentEvents(debtor)).toMatchObject([{ paymentId: payment.paymentId, amount: 150.75 }]);

    const { body } = await app.get<{ status: string }>(`/api/checkout/${debtor.id}/status`);
    expect(body).toEqual({ status: 'APPROVED' });
    const statistics = await debtor.client.call('GET', `/api/campaigns/${debtor.campaignId}/statistics`);
    expect(statistics.body).toMatchObject({ amount: { recovered: 150.75 }, payments: { approved: 1 } });
  });

  it('is paid once, however often the bank pays or notifies', async () => {
    const debtor = await newDebt(app);
    await payInSandbox(debtor);
    const { providerPaymentId } = await untilStatus(debtor, 'APPROVED');
    expect((await payInSandbox(debtor)).status).toBe(202);
    for (let time = 0; time < 3; time++) expect(await notify(app, providerPaymentId ?? '')).toBe(200);
    expect(await paymentEvents(debtor)).toHaveLength(1);
  });

  it('is not found by another client, nor is its bank', async () => {
    const debtor = await newDebt(app);
    const stranger = { ...debtor, client: await app.newClient() };
    expect((await payInSandbox(stranger)).status).toBe(404);
    expect((await stranger.client.call('GET', `/api/payments/${debtor.id}`)).status).toBe(404);
  });
});
