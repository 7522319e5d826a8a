import { describe, expect, it } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { followListings } from '../../src/modules/bureaus/use-cases/follow-listings.ts';
import { loadBureauTerms } from '../../src/modules/bureaus/use-cases/load-bureau-terms.ts';
import { loadPolicy } from '../../src/modules/policy/use-cases/load-policy.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { startAgreementMoney } from '../../testing/agreement-money.ts';
import { opened } from '../../testing/opened.ts';

const money = await opened(startAgreementMoney());
const { app } = money;
const client = money.clients.plain;
const db = await opened(openDatabase({ url: app.database.url, role: 'quita_worker' }));
const follow = followListings({ db, policy: loadPolicy(), bureauTerms: loadBureauTerms() });

/** Where the debtors of `debtInput` live. */
const today = localDate(Date.now(), -3);
const ago = (days: number) => addDays(today, -days);

/** A listed debt that was agreed about twenty days ago, so that its listing should have gone. */
async function agreedDebt(debts = 1) {
  const one = await money.agree({
    debts: Array.from({ length: debts }, () => ({ originalAmount: 1_000 })),
    withTerms: false,
    instalments: 1,
    afterBreach: 'restore',
  });
  const debtId = one.person.ids.at(-1)!;
  await app.query(
    `insert into bureau_listings (client_id, debt_id, bureau, notified_on, listed_on) values ($1, $2, 'Bureau A', $3, $4)`,
    [client.id, debtId, ago(60), ago(40)],
  );
  await app.query("update agreements set accepted_at = now() - interval '20 days' where id = $1", [one.agreementId]);
  const payRest = async () => {
    await one.carryOut({ kind: 'code', what: 'rest' });
    // The codes of the debts come before the one of the agreement.
    await one.carryOut({ kind: 'pay', code: debts, part: 1 });
    expect(await one.totals()).toMatchObject({ status: 'COMPLETED', statuses: Array(debts).fill('PAID') });
  };
  return { ...one, debtId, payRest };
}

/** What the report says of the listing after the next reminder. */
async function listingOf(debtId: string) {
  await follow({ clientId: client.id, debtId, clock: { at: Date.now(), offsetMs: 0, exact: false } });
  const { state, dueAt } = (await client.call('GET', `/api/reports/negativations?debtId=${debtId}`)).body.items[0];
  return { state, dueAt };
}

describe('the term of the removal, which an agreement has begun', () => {
  it.each([
    ['one debt', 1],
    ['two debts', 2],
  ])('is not begun again by the last instalment, which pays %s', async (_name, debts) => {
    const one = await agreedDebt(debts);
    const before = await listingOf(one.debtId);
    expect(before.state).toBe('late');
    await one.payRest();
    expect(await listingOf(one.debtId)).toEqual(before);
  });

  it('stays where it is when that money goes back, because the debt stays paid', async () => {
    const one = await agreedDebt();
    await one.payRest();
    const before = await listingOf(one.debtId);
    await one.carryOut({ kind: 'chargeBack', payment: 0 });
    expect(await one.totals()).toMatchObject({ statuses: ['PAID'] });
    expect(await listingOf(one.debtId)).toEqual(before);
  });

  it('begins with the payment where the agreement was broken before', async () => {
    const one = await agreedDebt();
    await one.carryOut({ kind: 'end', event: 'broken' });
    expect(await listingOf(one.debtId)).toEqual({ state: 'listed', dueAt: null });
    const paid = { amount: 1_000, paidAt: new Date().toISOString(), method: 'cash' };
    expect((await client.call('POST', `/api/debts/${one.debtId}/settle`, paid)).body.status).toBe('PAID');
    expect((await listingOf(one.debtId)).state).toBe('to_remove');
  });
});
