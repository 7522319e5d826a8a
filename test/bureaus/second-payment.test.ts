import { describe, expect, it } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { followListings } from '../../src/modules/bureaus/use-cases/follow-listings.ts';
import { loadBureauTerms } from '../../src/modules/bureaus/use-cases/load-bureau-terms.ts';
import { loadPolicy } from '../../src/modules/policy/use-cases/load-policy.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCampaignsApp());
const db = await opened(openDatabase({ url: app.database.url, role: 'quita_worker' }));
const client = await app.newClient();
const follow = followListings({ db, policy: loadPolicy(), bureauTerms: loadBureauTerms() });

/** Where the debtors of `debtInput` live. */
const today = localDate(Date.now(), -3);
const ago = (days: number) => addDays(today, -days);

const pay = async (debtId: string, paidAt: string) => {
  const payment = { amount: 150.75, paidAt, method: 'cash' };
  expect((await client.call('POST', `/api/debts/${debtId}/settle`, payment)).status).toBe(200);
};

/** A listed debt that was paid twenty days ago, so that its listing should have gone. */
async function paidDebt(n: number): Promise<string> {
  const campaignId = await client.createCampaign();
  await client.importJson(campaignId, [debtInput(n, { dueDate: ago(100) })]);
  const [{ id }] = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
  const listed = { bureau: 'Bureau A', at: ago(40), notifiedAt: ago(60) };
  expect((await client.call('POST', `/api/debts/${id}/negativation`, listed)).status).toBe(200);
  await pay(id, ago(20));
  return id;
}

/** What the report says of the listing after the next reminder. */
async function listingOf(debtId: string) {
  await follow({ clientId: client.id, debtId, clock: { at: Date.now(), offsetMs: 0, exact: false } });
  const { state, dueAt } = (await client.call('GET', `/api/reports/negativations?debtId=${debtId}`)).body.items[0];
  return { state, dueAt };
}

describe('money that comes when the debt is paid', () => {
  it('begins the term of the removal no second time, because it was not owed', async () => {
    const debtId = await paidDebt(1);
    const before = await listingOf(debtId);
    expect(before.state).toBe('late');
    await pay(debtId, today);
    expect(await listingOf(debtId)).toEqual(before);
  });

  it('begins the term when it pays the debt because the money before it went back', async () => {
    const debtId = await paidDebt(2);
    const { dueAt } = await listingOf(debtId);
    await pay(debtId, ago(15));
    await app.query('update charges set charged_back_at = now() where debt_id = $1 and not duplicate', [debtId]);
    const after = await listingOf(debtId);
    expect(after.state).toBe('late');
    expect(Date.parse(after.dueAt)).toBeGreaterThan(Date.parse(dueAt));
    expect(Date.parse(after.dueAt)).toBeLessThan(Date.now());
  });
});
