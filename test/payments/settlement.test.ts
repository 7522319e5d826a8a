import { describe, expect, it } from '@jest/globals';
import type { TimelineEntry } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { verifyPath } from '../../testing/receipts-harness.ts';
import { type ChargedDebtor, newCharge, openPage, startRealApp, tell } from './real-provider.ts';
import { type Debtor, notification, paymentEvents, readDebt, readPayment, untilStatus } from './support.ts';

const real = await opened(startRealApp());

const untilEvents = (debtor: Debtor, enough: (events: TimelineEntry[]) => boolean): Promise<TimelineEntry[]> =>
  until(
    'events of the payment',
    async () => {
      const events = await paymentEvents(debtor);
      return enough(events) ? events : null;
    },
    { timeoutMs: 50_000 },
  );

const questionsAbout = ({ providerId }: ChargedDebtor): number =>
  real.provider.requests.filter(({ method, path }) => method === 'GET' && path.endsWith(`/${providerId}`)).length;

/** Waits until the notification is handled, so that all its effects are stored. */
async function settled(debtor: ChargedDebtor, send: () => Promise<unknown> = () => tell(real, debtor)): Promise<void> {
  await send();
  await until('every notification is handled', async () => {
    const [row] = await real.app.query<{ open: number }>(
      'select count(*)::int as open from payment_notifications where charge_id = $1 and handled_at is null',
      [debtor.paymentId],
    );
    return row?.open === 0;
  });
}

const statistics = async (debtor: Debtor) =>
  (await debtor.client.call('GET', `/api/campaigns/${debtor.campaignId}/statistics`)).body;

describe('settlement by the answer of the provider', () => {
  it('approves once for repeated and concurrent notifications', async () => {
    const debtor = await newCharge(real);
    real.provider.pay(debtor.providerId);
    const notify = async () => {
      const { path, body, headers } = notification(debtor.providerId, { account: debtor.client.id });
      return (await real.app.call('POST', path, { body, headers })).status;
    };
    const statuses: number[] = [];
    // Client and server share this process, which on a busy machine would not get to a thousand open connections in time.
    for (let round = 0; round < 10; round += 1) {
      statuses.push(...(await Promise.all(Array.from({ length: 100 }, notify))));
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    await untilStatus(debtor, 'APPROVED');
    await settled(debtor);
    expect(await paymentEvents(debtor)).toMatchObject([{ kind: 'payment_approved', paymentId: debtor.paymentId }]);
    expect(await statistics(debtor)).toMatchObject({ payments: { approved: 1 }, amount: { recovered: 150.75 } });
    expect(questionsAbout(debtor)).toBeLessThan(100);
    const [inbox] = await real.app.query<{ kept: number }>(
      'select count(*)::int as kept from payment_notifications where charge_id = $1',
      [debtor.paymentId],
    );
    expect(inbox?.kept).toBe(1_001);
  });

  it('ignores what a notification states about an unpaid charge', async () => {
    const debtor = await newCharge(real);
    await settled(debtor, async () => {
      const body = JSON.stringify({
        type: 'payment',
        data: { id: debtor.providerId, status: 'approved' },
        status: 'approved',
      });
      const { path, headers } = notification(debtor.providerId, { account: debtor.client.id });
      expect((await real.app.call('POST', path, { body, headers })).status).toBe(200);
    });
    expect((await readPayment(debtor)).status).toBe('PENDING');
    expect(await paymentEvents(debtor)).toEqual([]);
  });

  it('maps an unknown state to PENDING and a rejection to REJECTED', async () => {
    const debtor = await newCharge(real);
    real.provider.change(debtor.providerId, { status: 'in_orbit' });
    await settled(debtor);
    expect((await readPayment(debtor)).status).toBe('PENDING');
    real.provider.change(debtor.providerId, { status: 'rejected', status_detail: 'rejected_by_bank' });
    await settled(debtor);
    expect((await readPayment(debtor)).status).toBe('REJECTED');
    const again = await openPage(real.app, debtor);
    expect(again.paymentId).not.toBe(debtor.paymentId);
    expect((await readPayment(debtor)).status).toBe('PENDING');
  });

  it('puts an underpaid debt on hold, and its page asks for the remainder', async () => {
    const debtor = await newCharge(real, { originalAmount: 100 });
    real.provider.pay(debtor.providerId, 60);
    await settled(debtor);
    expect((await readDebt(debtor)).status).toBe('ON_HOLD');
    expect(await readPayment(debtor)).toMatchObject({ status: 'PENDING', brCode: null, amount: 40 });
    expect(await paymentEvents(debtor)).toMatchObject([
      { kind: 'payment_changed', problem: 'underpaid', amount: 60, expectedAmount: 100 },
    ]);
    const page = await real.app.get<string>(`/checkout/${debtor.id}`);
    expect(page.body).toMatch(/Já recebemos R\$\s60,00/);
    expect(await statistics(debtor)).toMatchObject({ payments: { approved: 0 }, amount: { recovered: 0 } });

    const rest = await openPage(real.app, debtor);
    expect(await readPayment(debtor)).toMatchObject({ amount: 40 });
    real.provider.pay(rest.providerId, 40);
    await settled(rest);
    expect((await readPayment(debtor)).status).toBe('APPROVED');
    expect(await statistics(debtor)).toMatchObject({ payments: { approved: 1 }, amount: { recovered: 100 } });
  });

  it('settles an overpaid debt and shows the excess', async () => {
    const debtor = await newCharge(real, { originalAmount: 100 });
    real.provider.pay(debtor.providerId, 120);
    await settled(debtor);
    expect(await paymentEvents(debtor)).toMatchObject([{ kind: 'payment_approved', amount: 120, overpaidAmount: 20 }]);
    expect((await readDebt(debtor)).status).toBe('PAID');
  });

  it.each([
    ['amount_mismatch', { transaction_amount: 1 }],
    ['currency_mismatch', { currency_id: 'USD' }],
    ['reference_mismatch', { external_reference: 'somebody-elses' }],
  ])('never approves a payment that differs from the charge: %s', async (problem, change) => {
    const debtor = await newCharge(real);
    real.provider.pay(debtor.providerId);
    real.provider.change(debtor.providerId, change);
    await settled(debtor);
    await settled(debtor);
    expect((await readPayment(debtor)).status).toBe('PENDING');
    expect(await paymentEvents(debtor)).toMatchObject([{ kind: 'payment_changed', problem }]);
    expect((await readDebt(debtor)).status).toBe('IMPORTED');
  });

  it.each([
    ['500', { kind: 'answer', status: 500, body: 'oops' }],
    ['429 with Retry-After', { kind: 'answer', status: 429, headers: { 'retry-after': '1' }, body: '{}' }],
    ['nonsense', { kind: 'answer', status: 200, body: '<html>maintenance</html>' }],
    ['a broken connection', { kind: 'lost_answer' }],
  ] as const)('asks again after %s', async (_, fault) => {
    const debtor = await newCharge(real);
    real.provider.pay(debtor.providerId);
    real.provider.failNext(fault, fault, fault);
    await tell(real, debtor);
    await untilStatus(debtor, 'APPROVED', 50_000);
    expect(await paymentEvents(debtor)).toMatchObject([
      { kind: 'payment_changed', problem: 'provider_unavailable' },
      { kind: 'payment_approved' },
    ]);
  });

  it('asks again when the provider does not find its payment yet', async () => {
    const debtor = await newCharge(real);
    real.provider.pay(debtor.providerId);
    real.provider.hide(debtor.providerId, 1);
    await tell(real, debtor);
    await untilStatus(debtor, 'APPROVED', 50_000);
    expect(await paymentEvents(debtor)).toMatchObject([{ kind: 'payment_approved' }]);
  });

  it('records a refund and a chargeback, and leaves the debt paid', async () => {
    const debtor = await newCharge(real, { originalAmount: 100 });
    real.provider.pay(debtor.providerId);
    await settled(debtor);
    real.provider.refund(debtor.providerId, 30);
    await settled(debtor);
    expect(await statistics(debtor)).toMatchObject({ payments: { approved: 1 }, amount: { recovered: 70 } });
    await settled(debtor);
    real.provider.change(debtor.providerId, { status: 'charged_back', status_detail: 'in_process' });
    await settled(debtor);
    expect(await paymentEvents(debtor)).toMatchObject([
      { kind: 'payment_approved' },
      { kind: 'payment_changed', change: 'refunded', refundedAmount: 30 },
      { kind: 'payment_changed', change: 'charged_back' },
    ]);
    expect(await statistics(debtor)).toMatchObject({ amount: { recovered: 0 } });
    expect((await readPayment(debtor)).status).toBe('APPROVED');
    expect((await readDebt(debtor)).status).toBe('PAID');
  });

  it('keeps the receipt when one of two payments is refunded, whichever it is', async () => {
    const first = await newCharge(real, { originalAmount: 100 });
    await real.app.query(`update charges set expires_at = now() + interval '50 minutes' where id = $1`, [
      first.paymentId,
    ]);
    const second = await openPage(real.app, first);
    real.provider.pay(first.providerId);
    await settled(first);
    real.provider.pay(second.providerId);
    await settled(second);
    expect(await statistics(first)).toMatchObject({ payments: { approved: 1 }, amount: { recovered: 200 } });
    const receipt = async () => (await first.client.call('POST', `/api/receipts/${first.id}`)).body;
    const { protocol } = await receipt();

    const inbox = async () => (await first.client.call('GET', '/api/inbox')).body.items;
    expect(await inbox()).toMatchObject([{ reason: 'duplicate' }]);

    real.provider.refund(first.providerId);
    await settled(first);
    // Nothing is left to be returned, although the first payment and not the second one went back.
    expect(await inbox()).toEqual([]);
    expect(await statistics(first)).toMatchObject({ payments: { approved: 1 }, amount: { recovered: 100 } });
    expect(await receipt()).toMatchObject({ protocol, paymentId: first.paymentId });
    expect((await receipt()).revokedAt).toBeUndefined();
    expect((await real.app.get<string>(verifyPath(protocol))).body).toContain('Termo autêntico');
    expect((await readDebt(first)).status).toBe('PAID');

    real.provider.refund(second.providerId);
    await settled(second);
    expect(await statistics(first)).toMatchObject({ amount: { recovered: 0 } });
    expect((await receipt()).revokedAt).toEqual(expect.any(String));
    expect((await readDebt(first)).status).toBe('PAID');
  });

  it.each([
    ['stays charged_back', { status: 'charged_back', status_detail: 'reimbursed' }],
    ['is approved again', { status: 'approved', status_detail: 'accredited' }],
  ])('restores receipt and figures when a chargeback is won and the payment %s', async (_, won) => {
    const debtor = await newCharge(real, { originalAmount: 100 });
    real.provider.pay(debtor.providerId);
    await settled(debtor);
    const { protocol } = (await debtor.client.call('POST', `/api/receipts/${debtor.id}`)).body;
    real.provider.change(debtor.providerId, { status: 'charged_back', status_detail: 'in_process' });
    await settled(debtor);
    expect(await statistics(debtor)).toMatchObject({ amount: { recovered: 0 } });
    expect((await real.app.get<string>(verifyPath(protocol))).body).toContain('Termo revogado');
    real.provider.change(debtor.providerId, won);
    await settled(debtor);
    await settled(debtor);
    expect(await statistics(debtor)).toMatchObject({ payments: { approved: 1 }, amount: { recovered: 100 } });
    expect(await paymentEvents(debtor)).toMatchObject([
      { kind: 'payment_approved' },
      { kind: 'payment_changed', change: 'charged_back' },
      { kind: 'payment_changed', change: 'chargeback_reversed' },
    ]);
    const page = (await real.app.get<string>(verifyPath(protocol))).body;
    expect(page).toContain('Termo autêntico');
    expect(page).toMatch(
      /Revogado em \d\d\/\d\d\/\d{4}, porque o pagamento foi contestado.*Restabelecido em \d\d\/\d\d\/\d{4}/,
    );
    real.provider.change(debtor.providerId, { status: 'charged_back', status_detail: 'settled' });
    await settled(debtor);
    expect(await statistics(debtor)).toMatchObject({ amount: { recovered: 0 } });
    expect((await real.app.get<string>(verifyPath(protocol))).body).toContain('Termo revogado');
  });

  it('says of a payment that comes after the first went back that it pays the debt', async () => {
    const first = await newCharge(real, { originalAmount: 100 });
    await real.app.query(`update charges set expires_at = now() + interval '50 minutes' where id = $1`, [
      first.paymentId,
    ]);
    const second = await openPage(real.app, first);
    real.provider.pay(first.providerId);
    await settled(first);
    const { protocol } = (await first.client.call('POST', `/api/receipts/${first.id}`)).body;
    real.provider.refund(first.providerId);
    await settled(first);
    expect((await real.app.get<string>(verifyPath(protocol))).body).toContain('Termo revogado');
    real.provider.pay(second.providerId);
    await settled(second);
    expect((await paymentEvents(first)).at(-1)).toMatchObject({ kind: 'payment_duplicate', covers: true });
    expect((await real.app.get<string>(verifyPath(protocol))).body).toContain('Restabelecido em');
    expect(await statistics(first)).toMatchObject({ payments: { approved: 1 }, amount: { recovered: 100 } });
  });

  it('has the same result when only the refund of a payment is seen', async () => {
    const debtor = await newCharge(real, { originalAmount: 100 });
    real.provider.pay(debtor.providerId);
    real.provider.refund(debtor.providerId);
    await settled(debtor);
    expect((await readDebt(debtor)).status).toBe('PAID');
    expect((await paymentEvents(debtor)).map(({ kind }) => kind)).toEqual(['payment_approved', 'payment_changed']);
    expect(await statistics(debtor)).toMatchObject({ payments: { approved: 1 }, amount: { recovered: 0 } });
  });

  it('shows the client a second payment by an older code, and cancels the other open codes', async () => {
    const older = await newCharge(real);
    await real.app.query(`update charges set expires_at = now() + interval '50 minutes' where id = $1`, [
      older.paymentId,
    ]);
    const newer = await openPage(real.app, older);
    expect(newer.paymentId).not.toBe(older.paymentId);
    await real.app.query(`update charges set expires_at = now() + interval '50 minutes' where id = $1`, [
      newer.paymentId,
    ]);
    const open = await openPage(real.app, older);

    real.provider.pay(older.providerId);
    real.provider.pay(newer.providerId);
    await settled(older);
    expect((await readPayment(older)).paymentId).toBe(older.paymentId);
    const events = await untilEvents(older, (all) => all.length === 2);
    expect(events).toMatchObject([
      { kind: 'payment_approved', paymentId: older.paymentId },
      { kind: 'payment_duplicate', paymentId: newer.paymentId },
    ]);
    await until('the open one is cancelled', () => real.provider.payment(open.providerId).status === 'cancelled');
    expect(await statistics(older)).toMatchObject({ payments: { approved: 1 } });
  });

  it.each(['DISPUTED', 'OPTED_OUT', 'STOPPED', 'EXHAUSTED', 'ON_HOLD'])('settles a debt that is %s', async (status) => {
    const debtor = await newCharge(real);
    await real.app.query('update debts set status = $2 where id = $1', [debtor.id, status]);
    real.provider.pay(debtor.providerId);
    await tell(real, debtor);
    await untilStatus(debtor, 'APPROVED');
    expect((await readDebt(debtor)).status).toBe('PAID');
  });

  it('settles for a client that is paused', async () => {
    const debtor = await newCharge(real);
    await real.app.query(`update clients set status = 'PAUSED' where id = $1`, [debtor.client.id]);
    real.provider.pay(debtor.providerId);
    await tell(real, debtor);
    await until('paid', async () => {
      const [row] = await real.app.query<{ status: string }>('select status from debts where id = $1', [debtor.id]);
      return row?.status === 'PAID';
    });
  });
});
