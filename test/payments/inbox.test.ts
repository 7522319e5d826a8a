import { describe, expect, it } from '@jest/globals';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { type ChargedDebtor, newCharge, openPage, startRealApp, tell } from './real-provider.ts';
import { type Debtor, readDebt, untilStatus } from './support.ts';

const real = await opened(startRealApp());

const reasonsOf = async ({ client }: Debtor): Promise<string[]> =>
  (await client.call('GET', '/api/inbox')).body.items.map(({ reason }: { reason: string }) => reason).sort();
const untilReasons = (debtor: Debtor, ...reasons: string[]) =>
  until(`reasons: ${reasons}`, async () => (await reasonsOf(debtor)).join() === reasons.join(), { timeoutMs: 50_000 });
const pay = async (debtor: ChargedDebtor, reais?: number): Promise<void> => {
  real.provider.pay(debtor.providerId, reais);
  await tell(real, debtor);
};
const paid = async (given: object = {}): Promise<ChargedDebtor> => {
  const debtor = await newCharge(real, given);
  await pay(debtor);
  await untilStatus(debtor, 'APPROVED');
  return debtor;
};
/** A second code of a debt, as after the first one has lapsed. */
const renewed = async (debtor: ChargedDebtor): Promise<ChargedDebtor> => {
  await real.app.query(`update charges set expires_at = now() - interval '1 minute' where id = $1`, [debtor.paymentId]);
  const again = await openPage(real.app, debtor);
  expect(again.paymentId).not.toBe(debtor.paymentId);
  return again;
};
const twicePaid = async (): Promise<{ first: ChargedDebtor; second: ChargedDebtor }> => {
  const first = await newCharge(real, { originalAmount: 100 });
  const second = await renewed(first);
  await pay(second);
  await untilStatus(second, 'APPROVED');
  await pay(first);
  await untilReasons(first, 'duplicate');
  return { first, second };
};

describe('the inbox has what money asks of the client', () => {
  it('a payment that is too small, until the rest has come', async () => {
    const debtor = await newCharge(real, { originalAmount: 100 });
    await pay(debtor, 60);
    await untilReasons(debtor, 'underpaid');
    expect((await readDebt(debtor)).status).toBe('ON_HOLD');
    await real.app.query(
      `update campaigns set status = 'RUNNING', launched_at = now(), sandbox = false where id = $1`,
      [debtor.campaignId],
    );
    expect((await debtor.client.call('POST', `/api/debts/${debtor.id}/resume`)).status).toBe(200);
    expect(await reasonsOf(debtor)).toEqual([]);
    const rest = await openPage(real.app, debtor);
    await pay(rest, 40);
    await untilStatus(rest, 'APPROVED');
    expect(await reasonsOf(debtor)).toEqual([]);
  });

  it('a second payment, until it is returned, which asks for nothing more', async () => {
    const { first } = await twicePaid();
    real.provider.refund(first.providerId);
    await tell(real, first);
    await untilReasons(first);
  });

  it('a refund of a paid debt, and none while another payment covers it', async () => {
    const debtor = await paid({ originalAmount: 100 });
    expect(await reasonsOf(debtor)).toEqual([]);
    real.provider.refund(debtor.providerId, 30);
    await tell(real, debtor);
    await untilReasons(debtor, 'refunded');
    const before = (await debtor.client.call('GET', '/api/inbox')).body.items[0].since;
    real.provider.refund(debtor.providerId, 70);
    await tell(real, debtor);
    await until('the second refund', async () =>
      (await readDebt(debtor)).timeline.some(
        ({ change, refundedAmount }: { change?: string; refundedAmount?: number }) =>
          change === 'refunded' && refundedAmount === 100,
      ),
    );
    expect((await debtor.client.call('GET', '/api/inbox')).body.items).toMatchObject([
      { reason: 'refunded', since: before, debt: { id: debtor.id, status: 'PAID' }, lastMessage: null },
    ]);
    const { second } = await twicePaid();
    real.provider.refund(second.providerId);
    await tell(real, second);
    await until('the refund', async () =>
      (await readDebt(second)).timeline.some(({ change }: { change?: string }) => change === 'refunded'),
    );
    expect(await reasonsOf(second)).not.toContain('refunded');
  });

  it('a chargeback', async () => {
    const debtor = await paid();
    real.provider.change(debtor.providerId, { status: 'charged_back', status_detail: 'settled' });
    await tell(real, debtor);
    await untilReasons(debtor, 'refunded');
  });

  it('and no dispute once the debt is paid', async () => {
    const debtor = await newCharge(real);
    const press = { method: 'POST', headers: { origin: real.app.url }, redirect: 'manual' } as const;
    expect((await fetch(`${real.app.url}/checkout/${debtor.id}/dispute`, press)).status).toBe(303);
    await untilReasons(debtor, 'disputed');
    await pay(debtor);
    await untilStatus(debtor, 'APPROVED');
    expect(await reasonsOf(debtor)).toEqual([]);
  });
});
