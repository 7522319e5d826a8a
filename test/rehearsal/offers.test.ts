import { describe, expect, it } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { createPersonKeys } from '../../src/platform/shared/person-keys.ts';
import { startAgreements } from '../../testing/agreements.ts';
import { SECRETS } from '../../testing/app.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { cpfOf, type DebtInput, debtInput } from '../../testing/debts.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCampaignsApp());
const { newPerson, agree } = await startAgreements(app);
const today = localDate(Date.now(), -3);
const daysAgo = (days: number): string => addDays(today, -days);

let used = 0;
const debt = (given: Partial<DebtInput>): DebtInput => {
  used += 1;
  return debtInput(used, { originalAmount: 1000, dueDate: daysAgo(100), ...given });
};

async function offeredOf(client: TestClient, debts: readonly DebtInput[], policy: object | null = {}) {
  if (policy !== null) await client.call('PUT', '/api/offers/policy', { ...OFFERS_POLICY, ...policy });
  const campaignId = await client.createCampaign();
  expect((await client.importJson(campaignId, debts)).body.imported).toBe(debts.length);
  const { status, body } = await client.call('POST', `/api/campaigns/${campaignId}/rehearse?sandbox=true`);
  expect(status).toBe(200);
  return body.offered;
}

describe('what a rehearsal says of offers', () => {
  it('counts the debts that could be offered, and what the best discount leaves of them', async () => {
    const client = await app.newClient();
    const optedOut = debt({});
    await app.query(
      `insert into suppressions (client_id, sandbox, kind, person_key, phone_key) values ($1, true, 'opt_out', $2, 'x')`,
      [client.id, createPersonKeys(SECRETS['PERSON_SECRET']!).person(optedOut.debtorCpf)],
    );
    const debts = [
      // 30 %, 10 %, and none before the due date or after the prescription.
      debt({}),
      debt({ dueDate: daysAgo(30), originalAmount: 500.55 }),
      debt({ dueDate: daysAgo(-1) }),
      debt({ dueDate: daysAgo(3_000) }),
      optedOut,
    ];
    const expected = { debts: 2, owed: 1500.55, withBestDiscount: 700 + 450.5 };
    expect(await offeredOf(client, debts)).toEqual(expected);
  });

  it('is nothing without a policy', async () => {
    const client = await app.newClient();
    expect(await offeredOf(client, [debt({})], null)).toBeNull();
  });

  it('takes the debts of a person together, also those of a running campaign, but counts its own', async () => {
    const client = await app.newClient();
    const { cpf } = await newPerson(client);
    const own = debt({ debtorCpf: cpf, originalAmount: 200 });
    const other = debt({ debtorCpf: cpfOf(700_000_001), originalAmount: 300 });
    expect(await offeredOf(client, [own, other], { personAbove: 1100 })).toEqual({
      debts: 1,
      owed: 300,
      withBestDiscount: 210,
    });
    const again = [debt({ debtorCpf: cpf, originalAmount: 200 }), debt({ originalAmount: 300 })];
    expect(await offeredOf(client, again, {})).toEqual({ debts: 2, owed: 500, withBestDiscount: 350 });
  });

  it('says what the offers after the launch say', async () => {
    const client = await app.newClient();
    const terms = { bands: [{ fromDays: 1, toDays: null, maxDiscountPercent: 33.33 }] };
    const given = debt({ originalAmount: 1234.56 });
    const offered = await offeredOf(
      client,
      [given, debt({ debtorCpf: given.debtorCpf, originalAmount: 99.99 })],
      terms,
    );
    const [campaign] = (await client.call('GET', '/api/campaigns')).body.items;
    await client.call('POST', `/api/campaigns/${campaign.id}/launch?sandbox=true`);
    const { items } = (await client.call('GET', `/api/campaigns/${campaign.id}/debts`)).body;
    const { items: offers } = (await client.call('GET', `/api/debts/${items[0].id}/offers`)).body;
    expect(offered).toEqual({ debts: 2, owed: 1334.55, withBestDiscount: offers[0].total });
  });

  it('offers nothing of what is in an agreement', async () => {
    const client = await app.newClient();
    const person = await newPerson(client, [[{}, {}]]);
    await agree(client, person);
    expect(await offeredOf(client, [debt({ debtorCpf: person.cpf })])).toEqual({
      debts: 1,
      owed: 1000,
      withBestDiscount: 700,
    });
  });
});
