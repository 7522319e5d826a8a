import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { TERMS } from '../../testing/late-payment-terms.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCampaignsApp());
/** Where the debtors of `debtInput` live. */
const today = localDate(Date.now(), -3);

let persons = 0;

/** One person with one debt of R$ 1.000,00, 100 days late, and the first offer. */
async function offered() {
  const client = await app.newClient();
  await client.call('PUT', '/api/offers/policy', OFFERS_POLICY);
  persons += 1;
  const campaignId = await client.createCampaign();
  await client.importJson(campaignId, [
    debtInput(1, {
      debtorCpf: cpfOf(300_000_000 + persons),
      dueDate: addDays(today, -100),
      originalAmount: 1000,
      invoiceId: 'F-77',
    }),
  ]);
  await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
  const [debt] = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
  const offers = (await client.call('GET', `/api/debts/${debt.id}/offers`)).body.items;
  return { client, campaignId, debtId: debt.id as string, offers };
}

const accept = (client: TestClient, debtId: string, offerId: string, body?: object) =>
  client.call('POST', `/api/debts/${debtId}/offers/${offerId}/accept`, body);
const timelineOf = async (client: TestClient, debtId: string) =>
  (await client.call('GET', `/api/debts/${debtId}`)).body.timeline as { kind: string; [key: string]: unknown }[];

describe('POST /api/debts/:id/offers/:offerId/accept', () => {
  it('records what the debtor accepted by phone, with the text that the offer showed and a note', async () => {
    const { client, campaignId, debtId, offers } = await offered();
    const [cash] = offers;
    expect(cash.text).toContain('(conta F-77)');
    expect(cash.text).toContain('Total do acordo: R$ 700,00, com desconto de R$ 300,00.');
    const { status, body } = await accept(client, debtId, cash.id, { note: 'Ligou às 10h e leu de volta.' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'ACTIVE',
      acceptedBy: 'staff',
      debtIds: [debtId],
      debtorName: expect.any(String),
      total: 700,
      discount: 300,
      paid: 0,
    });
    const [row] = await app.query<{ accepted_text: string; accepted_in: string | null }>(
      'select accepted_text, accepted_in from agreements where id = $1',
      [body.id],
    );
    expect(row).toEqual({ accepted_text: cash.text, accepted_in: null });
    const timeline = await timelineOf(client, debtId);
    expect(timeline).toContainEqual(expect.objectContaining({ kind: 'agreement_accepted', acceptedBy: 'staff' }));
    expect(timeline.at(-1)).toMatchObject({ kind: 'note', text: 'Ligou às 10h e leu de volta.' });
    expect((await client.call('GET', `/api/debts/${debtId}`)).body.status).toBe('AGREEMENT');
    for (const query of [`?debtId=${debtId}`, `?campaignId=${campaignId}&status=ACTIVE`]) {
      expect((await client.call('GET', `/api/agreements${query}`)).body.items).toEqual([body]);
    }
    expect((await client.call('GET', `/api/agreements?debtId=${randomUUID()}`)).body.items).toEqual([]);
  });

  it('needs no body, and writes no note of nothing', async () => {
    const { client, debtId, offers } = await offered();
    expect((await accept(client, debtId, offers[1].id)).status).toBe(201);
    const other = await offered();
    expect((await accept(other.client, other.debtId, other.offers[0].id, { note: '  ' })).status).toBe(201);
    for (const { client: one, debtId: id } of [{ client, debtId }, other]) {
      expect((await timelineOf(one, id)).map(({ kind }) => kind)).not.toContain('note');
    }
  });

  it('is 409 offer_ended when another call has accepted an offer of the debt, and notes nothing more', async () => {
    const { client, debtId, offers } = await offered();
    const first = offers[0].id;
    const answers = await Promise.all([accept(client, debtId, first), accept(client, debtId, first)]);
    expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([201, 'offer_ended']);
    for (const { id } of offers) {
      const again = await accept(client, debtId, id, { note: 'De novo' });
      expect(again.body).toMatchObject({ status: 409, code: 'offer_ended' });
    }
    expect((await client.call('GET', '/api/agreements')).body.items).toHaveLength(1);
    expect((await timelineOf(client, debtId)).map(({ kind }) => kind)).not.toContain('note');
  });

  it('is 409 offer_ended for an offer that was taken back, and does not know those of others', async () => {
    const { client, debtId, offers } = await offered();
    await client.call('PUT', '/api/offers/policy', null);
    const other = await offered();
    expect((await accept(client, debtId, offers[0].id)).body).toMatchObject({ status: 409, code: 'offer_ended' });
    for (const id of [other.offers[0].id, randomUUID()]) {
      expect((await accept(client, debtId, id)).body).toMatchObject({ status: 404, code: 'not_found' });
    }
    expect((await accept(other.client, debtId, offers[0].id)).status).toBe(404);
    expect((await client.call('GET', '/api/agreements')).body.items).toEqual([]);
  });

  it('takes a login and no API key', async () => {
    const { client, debtId, offers } = await offered();
    const { apiKey } = (await client.call('POST', '/api/onboarding/me/api-key')).body;
    const path = `/api/debts/${debtId}/offers/${offers[0].id}/accept`;
    expect(await app.call('POST', path, { body: {}, bearer: apiKey })).toMatchObject({
      status: 401,
      body: { code: 'access_token_required' },
    });
  });
});

describe('GET /api/agreements', () => {
  it('is read in pages, the newest first', async () => {
    const { client, debtId, offers } = await offered();
    const made: string[] = [];
    for (const { id } of offers) {
      const agreement = (await accept(client, debtId, id)).body;
      made.unshift(agreement.id);
      await client.call('POST', `/api/agreements/${agreement.id}/cancel`, { reason: 'Recomeço' });
    }
    const paged: string[] = [];
    for (let cursor = ''; paged.length < 10; ) {
      const { body } = await client.call('GET', `/api/agreements?limit=1${cursor}`);
      paged.push(...body.items.map(({ id }: { id: string }) => id));
      if (body.nextCursor === null) break;
      cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
    }
    expect(paged).toEqual(made);
    expect((await client.call('GET', '/api/agreements?status=ACTIVE')).body.items).toEqual([]);
  });
});

describe('POST /api/offers/policy/preview', () => {
  const preview = (client: TestClient, change: object, example: object) =>
    client.call('POST', '/api/offers/policy/preview', { ...OFFERS_POLICY, ...change, example });

  it('says what a debt would be offered, and stores nothing', async () => {
    const client = await app.newClient();
    const { status, body } = await preview(client, {}, { amount: 1000, daysLate: 100 });
    expect(status).toBe(200);
    expect(body).toMatchObject({ owed: 1000, charges: 0, reason: null });
    expect(
      body.items.map(({ kind, total, discount }: { kind: string; total: number; discount: number }) => [
        kind,
        total,
        discount,
      ]),
    ).toEqual([
      ['cash', 700, 300],
      ['instalments', 850, 150],
      ['instalments', 1000, 0],
    ]);
    expect((await client.call('GET', '/api/offers/policy')).body).toBeNull();
  });

  it('counts the charges of the terms, of which a policy may give all of its discount', async () => {
    const client = await app.newClient();
    await client.call('PUT', '/api/terms', { ...TERMS, effectiveFrom: addDays(today, -400) });
    const { body } = await preview(client, { discountOn: 'charges' }, { amount: 1000, daysLate: 100 });
    expect(body.charges).toBeGreaterThan(0);
    expect(body.items[0].discount).toBe(Math.floor(body.charges * 30) / 100);
    expect(body.items[0].total + body.items[0].discount).toBeCloseTo(body.owed, 2);
  });

  it('says that a person decides above the amount of the policy', async () => {
    const { body } = await preview(await app.newClient(), { personAbove: 999.99 }, { amount: 1000, daysLate: 100 });
    expect(body).toMatchObject({ items: [], reason: 'needs_person' });
  });

  it.each([
    [{ minEntryPercent: 100 }, {}, '/maxInstalments'],
    [{ holdDays: 91 }, {}, '/holdDays'],
    [{}, { amount: 0 }, '/example/amount'],
    [{}, { daysLate: 0 }, '/example/daysLate'],
  ])('names the field of %j %j', async (change, example, pointer) => {
    const { status, body } = await preview(await app.newClient(), change, { amount: 1000, daysLate: 100, ...example });
    expect([status, body.errors.map((one: { pointer: string }) => one.pointer)]).toEqual([400, [pointer]]);
  });
});

describe('POST /api/agreements/:id/cancel', () => {
  it('ends an active agreement once, and needs a reason', async () => {
    const { client, debtId, offers } = await offered();
    const { id } = (await accept(client, debtId, offers[0].id)).body;
    const cancel = (body: object, one: TestClient = client) => one.call('POST', `/api/agreements/${id}/cancel`, body);
    expect((await cancel({ reason: ' ' })).body.errors).toMatchObject([{ pointer: '/reason', code: 'too_short' }]);
    expect((await cancel({ reason: 'Erro' }, await app.newClient())).status).toBe(404);
    expect(await cancel({ reason: 'Combinado por engano' })).toMatchObject({
      status: 200,
      body: { status: 'CANCELLED' },
    });
    expect((await cancel({ reason: 'De novo' })).body).toMatchObject({ status: 409, code: 'debt_state' });
    expect((await client.call('GET', `/api/debts/${debtId}`)).body.status).toBe('IN_COLLECTION');
  });
});
