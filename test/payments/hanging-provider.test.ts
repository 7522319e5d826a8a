import { describe, expect, it } from '@jest/globals';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { newCharge, startRealApp, tell } from './real-provider.ts';
import { paymentEvents, readDebt, readPayment, untilStatus } from './support.ts';

const real = await opened(startRealApp());

describe('a provider that does not answer', () => {
  // The test takes three attempts of ten seconds, because the time-outs are those of the product.
  it('approves nothing, appears on the timeline, and the payment settles once it answers', async () => {
    const debtor = await newCharge(real);
    const before = real.provider.requests.length;
    real.provider.failNext({ kind: 'hang' }, { kind: 'hang' }, { kind: 'hang' });
    expect(await tell(real, debtor)).toBe(200);
    await until('the provider is asked', () => real.provider.requests.length > before, { timeoutMs: 30_000 });
    expect((await readPayment(debtor)).status).toBe('PENDING');
    expect((await real.app.get(`/api/checkout/${debtor.id}/status`)).body).toEqual({ status: 'PENDING' });

    await until('the client is told', async () => (await paymentEvents(debtor)).length > 0, { timeoutMs: 90_000 });
    expect(await paymentEvents(debtor)).toMatchObject([{ kind: 'payment_changed', problem: 'provider_unavailable' }]);
    expect((await readPayment(debtor)).status).toBe('PENDING');

    // The provider answers again and nothing was paid: the notification is handled, and nothing is approved.
    await until(
      'the notification is handled',
      async () => {
        const sql = 'select 1 from payment_notifications where charge_id = $1 and handled_at is null';
        return (await real.app.query(sql, [debtor.paymentId])).length === 0;
      },
      { timeoutMs: 60_000 },
    );
    expect((await readPayment(debtor)).status).toBe('PENDING');
    expect((await readDebt(debtor)).status).toBe('IMPORTED');

    real.provider.pay(debtor.providerId);
    await tell(real, debtor);
    await untilStatus(debtor, 'APPROVED', 60_000);
    expect((await paymentEvents(debtor)).map(({ kind }) => kind)).toEqual(['payment_changed', 'payment_approved']);
    expect((await readDebt(debtor)).status).toBe('PAID');
  }, 240_000);
});
