import { expect, it } from '@jest/globals';
import { debtInput } from '../../testing/debts.ts';
import { collector, sent, startCollectionApp } from '../../testing/engine-harness.ts';
import { opened } from '../../testing/opened.ts';
import { openRightsPage } from '../../testing/rights-page.ts';

const app = await opened(startCollectionApp());
const client = await app.newClient();
const staff = collector(client);
const HOUR = 3_600_000;
/** What a clock in São Paulo shows. */
const local = (moment: string): Date => new Date(Date.parse(moment) - 3 * HOUR);

it('a preference is followed by the rehearsal of a draft, and by its launch', async () => {
  const { debtId, ask } = await openRightsPage(app, client, debtInput(41));
  const { campaignId } = await staff.debt(debtId);
  const rehearse = async () => (await client.call('POST', `/api/campaigns/${campaignId}/rehearse`)).body;
  const before = await rehearse();
  expect(before.contacts.length).toBeGreaterThan(1);
  const wish = await ask('preferencia', { de: '15:00', ate: '16:00', dia: '4' });
  expect(wish.headers.get('location')).toContain('pedido=PD-');

  const after = await rehearse();
  expect(after.contacts.length).toBeGreaterThan(0);
  for (const { date, hour } of after.contacts)
    expect([new Date(`${date}T12:00:00Z`).getUTCDay(), hour]).toEqual([4, 15]);
  expect(local(after.firstAt).getUTCHours()).toBe(15);

  expect((await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`)).status).toBe(200);
  const debt = await staff.reaches(debtId, 'two contacts', (one) => sent(one, 'collection').length >= 2);
  for (const { at } of sent(debt, 'collection'))
    expect([local(at).getUTCDay(), local(at).getUTCHours()]).toEqual([4, 15]);
  // The plan knew it: no contact had to be refused first.
  expect(debt.timeline.filter(({ kind, allowed }) => kind === 'verdict' && allowed === false)).toEqual([]);
});
