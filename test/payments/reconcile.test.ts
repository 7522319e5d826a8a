import { afterEach, describe, expect, it } from '@jest/globals';
import { cancelCharges } from '../../src/modules/payments/use-cases/cancel-charges.ts';
import { reconcileCharges } from '../../src/modules/payments/use-cases/reconcile-charges.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { newCharge, startRealApp } from './real-provider.ts';
import { paymentEvents, readDebt, readPayment } from './support.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const real = await opened(startRealApp());

afterEach(async () => {
  real.provider.clearFaults();
  // Each test leaves the queue empty for the next one.
  await real.app.query('update charges set ask_at = null');
});

const reconcile = (laterMs: number) => reconcileCharges(real.worker.deps(laterMs))();
const askAt = async (paymentId: string): Promise<Date | null> => {
  const [row] = await real.app.query<{ ask_at: Date | null }>('select ask_at from charges where id = $1', [paymentId]);
  return row?.ask_at ?? null;
};

describe('the reconciliation', () => {
  it('finds a payment whose notification was lost, and wakes the debt', async () => {
    const debtor = await newCharge(real);
    real.provider.pay(debtor.providerId);
    expect(await reconcile(MINUTE)).toEqual({ asked: 0, changed: 0, more: false });
    expect(await reconcile(3 * MINUTE)).toEqual({ asked: 1, changed: 1, more: false });
    expect((await readPayment(debtor)).status).toBe('APPROVED');
    const [row] = await real.app.query<{ signal: string }>('select signal from outbox where workflow_id = $1', [
      `collection-${debtor.id}`,
    ]);
    expect(row?.signal).toBe('paymentNoticed');
    expect(await askAt(debtor.paymentId)).toBeNull();
  });

  it('asks about a pending charge every 15 minutes at most on its first day, and less often later', async () => {
    const debtor = await newCharge(real);
    const start = Date.now();
    for (const [later, wait] of [
      [3 * MINUTE, 2 * MINUTE],
      [40 * MINUTE, 10 * MINUTE],
      [DAY - MINUTE, 15 * MINUTE],
      [2 * DAY, 120 * MINUTE],
    ] as const) {
      expect(await reconcile(later)).toEqual({ asked: 1, changed: 0, more: false });
      const next = (await askAt(debtor.paymentId))?.getTime() ?? 0;
      expect(Math.abs(next - (start + later + wait))).toBeLessThan(20_000);
    }
    real.provider.change(debtor.providerId, { status: 'cancelled', status_detail: 'expired' });
    await reconcile(4 * DAY);
    expect(await askAt(debtor.paymentId)).toBeNull();
    expect(await readPayment(debtor)).toMatchObject({ status: 'PENDING', brCode: null });
    expect(await paymentEvents(debtor)).toEqual([]);
  });

  it('stops asking about a pending charge a day after its expiry', async () => {
    const debtor = await newCharge(real);
    await reconcile(5 * DAY);
    expect(await askAt(debtor.paymentId)).toBeNull();
  });

  it('continues after the provider was down, with few requests meanwhile', async () => {
    const debtors = [];
    for (let made = 0; made < 6; made++) debtors.push(await newCharge(real));
    for (const { providerId } of debtors) real.provider.pay(providerId);
    const single = debtors[0]!.client.id;
    await real.app.query('update charges set ask_at = null where client_id <> $1', [single]);
    real.provider.failNext(...Array.from({ length: 3 }, () => ({ kind: 'answer', status: 500 }) as const));
    expect(await reconcile(3 * MINUTE)).toEqual({ asked: 1, changed: 0, more: false });
    expect((await readPayment(debtors[0]!)).status).toBe('PENDING');
    expect(await reconcile(6 * MINUTE)).toEqual({ asked: 0, changed: 0, more: false });
    expect(await reconcile(8 * MINUTE)).toEqual({ asked: 1, changed: 1, more: false });
    expect((await readPayment(debtors[0]!)).status).toBe('APPROVED');
  });

  it('asks about each charge once in two concurrent runs', async () => {
    await newCharge(real);
    const [one, two] = await Promise.all([reconcile(3 * MINUTE), reconcile(3 * MINUTE)]);
    expect(one.asked + two.asked).toBe(1);
  });

  it('cancels the open charges of a withdrawn debt at the provider', async () => {
    const debtor = await newCharge(real);
    await real.app.query(`update debts set status = 'STOPPED' where id = $1`, [debtor.id]);
    expect((await readPayment(debtor)).status).toBe('CANCELLED');
    await reconcile(3 * MINUTE);
    expect(real.provider.payment(debtor.providerId).status).toBe('cancelled');
    expect(await askAt(debtor.paymentId)).toBeNull();
  });

  it('leaves the charge of a wrong person open, because the right person may still pay', async () => {
    const debtor = await newCharge(real);
    await real.app.query(`update debts set status = 'STOPPED', wrong_person_at = now() where id = $1`, [debtor.id]);
    await reconcile(3 * MINUTE);
    expect(real.provider.payment(debtor.providerId).status).toBe('pending');
    expect((await readPayment(debtor)).status).toBe('PENDING');
  });
});

describe('cancelling', () => {
  it('settles the payment when it comes too late', async () => {
    const debtor = await newCharge(real);
    await real.app.query(`update debts set status = 'STOPPED' where id = $1`, [debtor.id]);
    real.provider.pay(debtor.providerId);
    await cancelCharges(real.worker.deps())({ clientId: debtor.client.id, debtId: debtor.id });
    expect((await readDebt(debtor)).status).toBe('PAID');
    expect((await paymentEvents(debtor)).map(({ kind }) => kind)).toEqual(['payment_approved']);
  });

  it('is repeated by the reconciliation when the provider is down', async () => {
    const debtor = await newCharge(real);
    await real.app.query(`update debts set status = 'STOPPED' where id = $1`, [debtor.id]);
    real.provider.failNext(...Array.from({ length: 3 }, () => ({ kind: 'answer', status: 503 }) as const));
    await cancelCharges(real.worker.deps())({ clientId: debtor.client.id, debtId: debtor.id });
    expect(real.provider.payment(debtor.providerId).status).toBe('pending');
    await until(
      'due',
      async () => ((await askAt(debtor.paymentId))?.getTime() ?? Number.POSITIVE_INFINITY) <= Date.now(),
    );
    await reconcile(0);
    expect(real.provider.payment(debtor.providerId).status).toBe('cancelled');
  });
});
