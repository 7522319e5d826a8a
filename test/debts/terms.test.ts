import { describe, expect, it } from '@jest/globals';
import { addDays, localDate } from '../../src/kernel/calendar.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import { TERMS } from '../../testing/late-payment-terms.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCampaignsApp());
/** Where the debtors of `debtInput` live. */
const today = localDate(Date.now(), -3);
const daysAgo = (days: number): string => addDays(today, -days);

let debts = 0;
async function newDebt(client: Awaited<ReturnType<typeof app.newClient>>, given: object, isLaunched = false) {
  const campaignId = await client.createCampaign();
  debts += 1;
  expect((await client.importJson(campaignId, [debtInput(debts, given)])).body.imported).toBe(1);
  const launch = () => client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
  if (isLaunched) expect((await launch()).status).toBe(200);
  const { id } = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items[0];
  const quote = async (on = '') => client.call('GET', `/api/debts/${id}/quote${on && `?on=${on}`}`);
  return { id, campaignId, launch, quote };
}
const put = (client: Awaited<ReturnType<typeof app.newClient>>, change: object = {}) =>
  client.call('PUT', '/api/terms', { ...TERMS, ...change });

describe('/api/terms', () => {
  it('stores versions and lists them, the newest first', async () => {
    const client = await app.newClient();
    expect((await client.call('GET', '/api/terms')).body).toEqual({ items: [] });
    const first = await put(client);
    expect(first).toMatchObject({ status: 201, body: { ...TERMS, id: expect.any(String) } });
    const second = await put(client, { effectiveFrom: '2026-02-28', finePercent: 1.15 });
    expect((await client.call('GET', '/api/terms')).body.items).toEqual([second.body, first.body]);
    expect((await (await app.newClient()).call('GET', '/api/terms')).body.items).toEqual([]);
  });

  it.each([
    [{ finePercent: 2.01 }, '/finePercent', 'above_legal_limit'],
    [{ interest: { kind: 'monthly', percent: 1.01 } }, '/interest/percent', 'above_legal_limit'],
    [{ interest: { kind: 'monthly' } }, '/interest/percent', 'required'],
    [{ interest: { kind: 'daily', percent: 1 } }, '/interest/kind', undefined],
    [{ finePercent: 1.005 }, '/finePercent', 'invalid_value'],
    [{ finePercent: -1 }, '/finePercent', undefined],
    [{ graceDays: 31 }, '/graceDays', undefined],
    [{ clause: null }, '/clause', 'required'],
    [{ clause: 'curta' }, '/clause', 'invalid_value'],
    [{ clause: 'a'.repeat(501) }, '/clause', 'invalid_value'],
    [{ effectiveFrom: '2026-02-30' }, '/effectiveFrom', 'date_invalid'],
    [{ effectiveFrom: '0000-01-01' }, '/effectiveFrom', 'date_invalid'],
    [{ correction: 'igpm' }, '/correction', undefined],
  ])('refuses %j at %s', async (change, pointer, code) => {
    const { status, body } = await put(await app.newClient(), change);
    expect(status).toBe(400);
    expect(body.errors).toEqual([expect.objectContaining({ pointer, ...(code && { code }) })]);
  });

  it('tells all problems of a body at once', async () => {
    const problems = async (change: object) =>
      (await put(await app.newClient(), change)).body.errors.map(
        ({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`,
      );
    const above = { finePercent: 2.01, interest: { kind: 'monthly', percent: 1.01 } };
    const both = ['/finePercent above_legal_limit', '/interest/percent above_legal_limit'];
    expect(await problems({ ...above, graceDays: 31, clause: null })).toEqual([
      ...both,
      '/graceDays too_big',
      '/clause required',
    ]);
    expect(await problems({ ...above, graceDays: 'none', clause: 'curta' })).toEqual([
      ...both,
      '/graceDays invalid_type',
      '/clause invalid_value',
    ]);
    expect(await problems({ graceDays: 'none', clause: null })).toEqual([
      '/graceDays invalid_type',
      '/clause required',
    ]);
    expect(await problems({ finePercent: 'none', interest: { kind: 'monthly' }, clause: null })).toEqual([
      '/finePercent invalid_type',
      '/interest/percent required',
    ]);
  });

  it('stores versions that come at once one after the other', async () => {
    const client = await app.newClient();
    const answers = await Promise.all(Array.from({ length: 4 }, () => put(client)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect((await client.call('GET', '/api/terms')).body.items).toHaveLength(4);
  });
});

describe('GET /api/debts/:id/quote', () => {
  const DUE = { dueDate: daysAgo(15), originalAmount: 1000 };

  it('charges nothing without terms', async () => {
    const { quote } = await newDebt(await app.newClient(), DUE, true);
    expect((await quote()).body).toEqual({
      on: today,
      dueDate: DUE.dueDate,
      countsFrom: DUE.dueDate,
      days: 15,
      originalAmount: 1000,
      principal: 1000,
      fine: 0,
      interest: 0,
      correction: 0,
      paid: 0,
      total: 1000,
      lines: [{ component: 'principal', amount: 1000, formula: expect.any(String) }],
      missing: [],
      terms: null,
    });
  });

  it('charges by the version that the debt took at its launch, and keeps it', async () => {
    const client = await app.newClient();
    const { body: terms } = await put(client);
    const { launch, quote } = await newDebt(client, DUE);
    // A draft is quoted by the version that it would take.
    expect((await quote()).body).toMatchObject({ fine: 20, interest: 5, total: 1025, terms: { id: terms.id } });
    const { body: later } = await put(client, { effectiveFrom: daysAgo(20), finePercent: 1 });
    expect((await quote()).body).toMatchObject({ fine: 10, terms: { id: later.id } });
    await launch();
    await put(client, { effectiveFrom: daysAgo(20), finePercent: 0.5 });
    const { body } = await quote();
    expect(body).toMatchObject({ fine: 10, interest: 5, total: 1015, terms: { id: later.id, clause: TERMS.clause } });
    expect(body.lines).toEqual([
      { component: 'principal', amount: 1000, formula: 'valor original' },
      { component: 'fine', amount: 10, formula: '1 % de R$ 1.000,00, uma única vez' },
      { component: 'interest', amount: 5, formula: 'R$ 1.000,00 × 1 % ÷ 30 × 15 dias' },
    ]);
  });

  it('takes its version when it comes into a launched campaign', async () => {
    const client = await app.newClient();
    const { campaignId } = await newDebt(client, DUE, true);
    const { body: terms } = await put(client);
    await client.importJson(campaignId, [
      debtInput(9_000 + debts, DUE),
      debtInput(9_500 + debts, { dueDate: '2019-12-31' }),
    ]);
    await put(client, { finePercent: 1 });
    const { items } = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body;
    const quotes = await Promise.all(
      items.map(
        async ({ id }: { id: string }) => (await client.call('GET', `/api/debts/${id}/quote`)).body.terms?.id ?? null,
      ),
    );
    expect(quotes).toEqual([null, terms.id, null]);
  });

  it('answers for a day from the due date to 366 days ahead', async () => {
    const client = await app.newClient();
    await put(client);
    const { quote } = await newDebt(client, DUE, true);
    expect((await quote(DUE.dueDate)).body).toMatchObject({ days: 0, total: 1000 });
    expect((await quote(addDays(DUE.dueDate, 30))).body).toMatchObject({ days: 30, interest: 10, total: 1030 });
    expect((await quote(addDays(today, 366))).status).toBe(200);
    for (const on of [addDays(DUE.dueDate, -1), addDays(today, 367), 'amanhã', '2026-13-01']) {
      expect((await quote(on)).body).toMatchObject({
        status: 400,
        errors: [{ parameter: 'on', code: 'date_invalid' }],
      });
    }
  });

  it('is the total of a search, and its parts are in an export', async () => {
    const client = await app.newClient();
    await put(client);
    const { id, campaignId, quote } = await newDebt(client, DUE, true);
    const search = () => client.call('POST', '/api/debts/search', { campaignId });
    expect((await search()).body.items[0].owedToday).toBe(1025);
    // A settlement stores a payment like this; it is credited to interest, fine and principal.
    await app.query(
      `insert into charges (client_id, debt_id, attempt, provider, status, amount_centavos, paid_centavos, paid_at,
        underpaid_at, expires_at, credited_on)
        values ($1, $2, 1, 'sandbox', 'PENDING', 10500, 10500, now(), now(), now(), $3)`,
      [client.id, id, daysAgo(5)],
    );
    const { total } = (await quote()).body;
    expect(total).toBe(919.86);
    expect((await search()).body.items[0].owedToday).toBe(total);
    const response = await fetch(`${app.url}/api/debts/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json', accept: 'text/csv' },
      body: JSON.stringify({ campaignId }),
    });
    const [header, row] = (await response.text()).split('\r\n').map((line) => line.split(';'));
    const cell = (name: string) => row?.[header?.indexOf(name) ?? -1];
    expect(['Principal em aberto', 'Multa', 'Juros', 'Correção', 'Total hoje'].map(cell)).toEqual([
      '918,33',
      '0,00',
      '1,53',
      '0,00',
      '919,86',
    ]);
  });

  it('is added up by the rehearsal of a draft, as of its launch', async () => {
    const client = await app.newClient();
    const { campaignId } = await newDebt(client, DUE);
    const owed = async () => (await client.call('POST', `/api/campaigns/${campaignId}/rehearse`)).body.owed;
    expect(await owed()).toEqual({ principal: 1000, fine: 0, interest: 0, correction: 0, total: 1000 });
    await put(client);
    expect(await owed()).toEqual({ principal: 1000, fine: 20, interest: 5, correction: 0, total: 1025 });
  });

  it('names months whose values the operator has not brought', async () => {
    const client = await app.newClient();
    await put(client, { interest: { kind: 'legal', percent: null } });
    const { quote } = await newDebt(client, DUE, true);
    const { body } = await quote();
    expect(body).toMatchObject({ fine: 20, interest: 0 });
    expect(body.missing[0]).toBe(`29543:${DUE.dueDate.slice(0, 7)}`);
  });

  it('is for the client of the debt alone', async () => {
    const { id } = await newDebt(await app.newClient(), DUE);
    expect((await (await app.newClient()).call('GET', `/api/debts/${id}/quote`)).status).toBe(404);
  });
});

describe('POST /api/terms/preview', () => {
  const preview = (client: Awaited<ReturnType<typeof app.newClient>>, change: object = {}) =>
    client.call('POST', '/api/terms/preview', { ...TERMS, ...change });

  it('works an example, and stores nothing', async () => {
    const client = await app.newClient();
    const example = { amount: 150.75, dueDate: '2026-10-05', on: '2026-11-20' };
    expect(await preview(client, { example })).toMatchObject({
      status: 200,
      body: {
        example: {
          countsFrom: '2026-10-05',
          days: 46,
          principal: 150.75,
          fine: 3.01,
          interest: 2.31,
          correction: 0,
          total: 156.07,
          lines: [
            { component: 'principal', amount: 150.75, formula: 'valor original' },
            { component: 'fine', amount: 3.01, formula: '2 % de R$ 150,75, uma única vez' },
            { component: 'interest', amount: 2.31, formula: 'R$ 150,75 × 1 % ÷ 30 × 46 dias' },
          ],
          missing: [],
        },
        debts: { count: 0, principal: 0, before: 0, after: 0, campaignCount: 0, campaigns: [] },
      },
    });
    expect((await preview(client)).body.example).toBeNull();
    expect((await client.call('GET', '/api/terms')).body.items).toEqual([]);
  });

  it('counts the debts of drafts that would take the version, with their totals of today', async () => {
    const client = await app.newClient();
    await put(client, { finePercent: 0 });
    await put(client, { effectiveFrom: daysAgo(10), finePercent: 1 });
    const { campaignId } = await newDebt(client, { dueDate: daysAgo(15), originalAmount: 1000 });
    // This one takes the later version, and this one is launched.
    await client.importJson(campaignId, [debtInput(9_900, { dueDate: daysAgo(10), originalAmount: 500 })]);
    await newDebt(client, { dueDate: daysAgo(15), originalAmount: 70 }, true);
    await newDebt(await app.newClient(), { dueDate: daysAgo(15) });
    const { id, name } = (await client.call('GET', `/api/campaigns/${campaignId}`)).body;
    expect((await preview(client)).body.debts).toEqual({
      count: 1,
      principal: 1000,
      before: 1005,
      after: 1025,
      campaignCount: 1,
      campaigns: [{ id, name, count: 1 }],
    });
    expect((await preview(client, { effectiveFrom: daysAgo(10) })).body.debts).toMatchObject({
      count: 1,
      principal: 500,
    });
    expect((await preview(client, { effectiveFrom: daysAgo(9) })).body.debts).toMatchObject({ count: 0, after: 0 });
  });

  const EXAMPLE = { amount: 100, dueDate: '2026-10-05', on: '2026-11-20' };
  it.each([
    [{ finePercent: 2.01 }, '/finePercent', 'above_legal_limit'],
    [{ clause: null }, '/clause', 'required'],
    [{ effectiveFrom: '2026-02-30' }, '/effectiveFrom', 'date_invalid'],
    [{ effectiveFrom: '0000-01-01' }, '/effectiveFrom', 'date_invalid'],
    [{ example: { ...EXAMPLE, amount: 0 } }, '/example/amount', 'amount_invalid'],
    [{ example: { ...EXAMPLE, amount: 100.005 } }, '/example/amount', 'amount_invalid'],
    [{ example: { ...EXAMPLE, dueDate: '0000-01-01' } }, '/example/dueDate', 'date_invalid'],
    [{ example: { ...EXAMPLE, dueDate: 'ontem' } }, '/example/dueDate', 'date_invalid'],
    [{ example: { ...EXAMPLE, on: '2026-10-04' } }, '/example/on', 'date_invalid'],
    [{ example: { ...EXAMPLE, on: '2037-01-01' } }, '/example/on', 'date_invalid'],
  ])('refuses %j at %s', async (change, pointer, code) => {
    const { status, body } = await preview(await app.newClient(), change);
    expect(status).toBe(400);
    expect(body.errors).toEqual([expect.objectContaining({ pointer, code })]);
  });

  it('is for those who are signed in', async () => {
    expect((await app.call('POST', '/api/terms/preview', { body: TERMS })).status).toBe(401);
  });
});
