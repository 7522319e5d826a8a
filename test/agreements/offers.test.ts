import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { addDays, addYears, localDate } from '../../src/kernel/calendar.ts';
import { createPersonKeys } from '../../src/platform/shared/person-keys.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { TERMS } from '../../testing/late-payment-terms.ts';
import { OFFERS_POLICY } from '../../testing/offers-policy.ts';
import { opened } from '../../testing/opened.ts';
import { addMember } from '../http/accounts/accounts.ts';

const PERSON_SECRET = 'a-secret-of-these-tests-of-offers';
const personKey = createPersonKeys(PERSON_SECRET).person;
const app = await opened(startCampaignsApp({ env: { PERSON_SECRET } }));
/** Where the debtors of `debtInput` live. */
const today = localDate(Date.now(), -3);
const daysAgo = (days: number): string => addDays(today, -days);

let persons = 0;
interface Offered {
  readonly client: TestClient;
  readonly cpf: string;
  readonly ids: readonly string[];
  readonly offers: (id?: string) => Promise<{ items: Shown[]; reason: string | null }>;
}
interface Shown {
  readonly id: string;
  readonly number: number;
  readonly debtIds: readonly string[];
  readonly total: number;
  readonly instalments: readonly { readonly amount: number; readonly dueDate: string }[];
}

/** One person with these debts in a campaign that was launched in the sandbox and whose client has a policy. */
async function newPerson(
  debts: readonly object[] = [{}],
  policy: object | null = {},
  terms: object | null = null,
): Promise<Offered> {
  const client = await app.newClient();
  if (terms !== null) expect((await client.call('PUT', '/api/terms', terms)).status).toBe(201);
  if (policy !== null) {
    expect((await client.call('PUT', '/api/offers/policy', { ...OFFERS_POLICY, ...policy })).status).toBe(200);
  }
  persons += 1;
  const cpf = cpfOf(200_000_000 + persons);
  const campaignId = await client.createCampaign();
  const inputs = debts.map((given, at) =>
    debtInput(persons * 100 + at, { debtorCpf: cpf, dueDate: daysAgo(100), originalAmount: 1000, ...given }),
  );
  expect((await client.importJson(campaignId, inputs)).body.imported).toBe(debts.length);
  await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
  const { items } = (await client.call('GET', `/api/campaigns/${campaignId}/debts?limit=100`)).body;
  const ids = inputs.map(({ invoiceId }) => items.find((one: { invoiceId: string }) => one.invoiceId === invoiceId).id);
  const offers = async (id = ids[0]!) => {
    const { status, body } = await client.call('GET', `/api/debts/${id}/offers`);
    expect(status).toBe(200);
    return body;
  };
  return { client, cpf, ids, offers };
}
const numbersOf = (items: readonly Shown[]) => items.map(({ number }) => number);
const moveClock = (ids: readonly string[], days: number) =>
  app.query('update debts set clock_offset_ms = $2 where id = any($1)', [ids, days * 86_400_000]);
const ask = (cpf: string, requests: string, clientId: string) =>
  app.query(
    `insert into person_requests (client_id, debtor_tax_id, sandbox, requests) values ($1, $2, true, array[$3])
     on conflict (client_id, debtor_tax_id, sandbox) do update set requests = excluded.requests`,
    [clientId, cpf, requests],
  );

describe('GET /api/debts/:id/offers', () => {
  it('makes at most three offers when they are first asked for, and the same ones from then on', async () => {
    const { ids, offers, client } = await newPerson();
    const { items, reason } = await offers();
    expect(reason).toBeNull();
    expect(items[0]).toEqual({
      id: expect.any(String),
      number: 1,
      kind: 'cash',
      debtIds: ids,
      total: 700,
      discount: 300,
      entry: 700,
      instalments: [{ number: 1, dueDate: expect.any(String), amount: 700 }],
      validUntil: addDays(today, 5),
      acceptedAt: null,
      text: expect.stringContaining('Pagamento único de R$ 700,00'),
    });
    expect(items.map(({ total, instalments }) => [total, instalments.length])).toEqual([
      [700, 1],
      [850, 3],
      [1000, 12],
    ]);
    expect(items[1]!.instalments.map(({ amount }) => amount)).toEqual([283.33, 283.33, 283.34]);
    expect(await offers()).toEqual({ items, reason: null });
    const { timeline } = (await client.call('GET', `/api/debts/${ids[0]}`)).body;
    expect(timeline.filter(({ kind }: { kind: string }) => kind === 'offer_made')).toEqual([
      expect.objectContaining({ offerId: items[0]!.id, number: 1, madeBy: 'policy', total: 700, instalments: 1 }),
      expect.objectContaining({ offerId: items[1]!.id, number: 2, total: 850, discount: 150, instalments: 3 }),
      expect.objectContaining({ offerId: items[2]!.id, number: 3, discount: 0, validUntil: addDays(today, 5) }),
    ]);
  });

  it('is about all debts of the person, each with its own band, the oldest first and then as imported', async () => {
    const { ids, offers } = await newPerson([
      { dueDate: daysAgo(10), originalAmount: 200 },
      { dueDate: daysAgo(100), originalAmount: 300 },
      { dueDate: daysAgo(10), originalAmount: 100 },
      { dueDate: addDays(today, 10), originalAmount: 50 },
    ]);
    const first = await offers();
    expect(first.items[0]).toMatchObject({ debtIds: [ids[1], ids[0], ids[2]], total: 600 - 90 - 20 - 10 });
    expect(await offers(ids[2])).toEqual(first);
    expect(await offers(ids[3])).toEqual({ items: [], reason: 'state' });
  });

  it('counts fine and interest by the terms, and discounts them alone where the policy says so', async () => {
    const policy = { discountOn: 'charges', maxInstalments: 1 };
    const { offers } = await newPerson([{ dueDate: daysAgo(180) }], policy, TERMS);
    // 20,00 and 60,00, of which 30 % are given.
    expect((await offers()).items).toMatchObject([{ total: 1056, discount: 24 }]);
  });

  it('makes one set for requests at the same time', async () => {
    const { offers, ids } = await newPerson([{}, { dueDate: daysAgo(20) }]);
    const answers = await Promise.all([...ids, ...ids, ...ids].map((id) => offers(id)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(numbersOf(answers[0]!.items)).toEqual([1, 2, 3]);
  });

  it('makes new ones, numbered on, after the last day by the clock of the debt', async () => {
    const { offers, ids } = await newPerson();
    const first = await offers();
    await moveClock(ids, 5);
    expect(await offers()).toEqual(first);
    await moveClock(ids, 6);
    const next = (await offers()).items;
    expect(numbersOf(next)).toEqual([4, 5, 6]);
    expect(next[0]).toMatchObject({ validUntil: addDays(today, 11) });
  });

  it('uses the clock that is furthest ahead of the debts together', async () => {
    const { offers, ids } = await newPerson([{}, {}]);
    await moveClock([ids[1]!], 40);
    expect((await offers()).items[0]).toMatchObject({ validUntil: addDays(today, 45) });
  });

  it('keeps its word when the policy changes, and takes it back when the policy is removed', async () => {
    const { client, offers } = await newPerson();
    const first = await offers();
    await client.call('PUT', '/api/offers/policy', { ...OFFERS_POLICY, bands: [] });
    expect(await offers()).toEqual(first);
    await client.call('PUT', '/api/offers/policy', null);
    expect(await offers()).toEqual({ items: [], reason: 'no_policy' });
    await client.call('PUT', '/api/offers/policy', { ...OFFERS_POLICY, bands: [] });
    expect((await offers()).items[0]).toMatchObject({ number: 4, total: 1000 });
  });

  it('ends the offers when one of the debts is withdrawn, and offers the others', async () => {
    const { client, offers, ids } = await newPerson([{}, { originalAmount: 500 }]);
    expect((await offers()).items[0]).toMatchObject({ total: 1050 });
    await client.call('POST', `/api/debts/${ids[1]}/withdraw`);
    expect((await offers()).items[0]).toMatchObject({ number: 4, debtIds: [ids[0]], total: 700 });
    expect(await offers(ids[1])).toEqual({ items: [], reason: 'state' });
  });

  it('ends the offers when a part was paid, and when the amount was corrected', async () => {
    const { client, offers, ids } = await newPerson();
    await offers();
    await client.call('PATCH', `/api/debts/${ids[0]}`, { originalAmount: 900 });
    expect((await offers()).items[0]).toMatchObject({ number: 4, total: 630 });
    const part = { amount: 100, paidAt: today, method: 'cash', note: 'Recebido na recepção' };
    expect((await client.call('POST', `/api/debts/${ids[0]}/settle`, part)).status).toBeLessThan(300);
    // As of which day money counts is stored with it.
    await app.query('update charges set credited_on = $2 where debt_id = $1', [ids[0], today]);
    expect((await offers()).items[0]).toMatchObject({ number: 7, total: 560 });
  });

  it('leaves the offers as they are when a debt of the person comes later', async () => {
    const { client, offers, cpf } = await newPerson();
    const first = await offers();
    const campaignId = await client.createCampaign('Segunda');
    await client.importJson(campaignId, [debtInput(95_000, { debtorCpf: cpf, dueDate: daysAgo(30) })]);
    await client.call('POST', `/api/campaigns/${campaignId}/launch?sandbox=true`);
    const [{ id }] = (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items;
    expect(await offers(id)).toEqual(first);
  });

  it('says why nothing is offered, in the order of the rules', async () => {
    const { client, offers, ids, cpf } = await newPerson([{}], { personAbove: 999.99 });
    const reason = async () => (await offers()).reason;
    expect(await reason()).toBe('needs_person');
    await ask(cpf, 'death', client.id);
    await client.call('PUT', '/api/offers/policy', OFFERS_POLICY);
    expect(await reason()).toBe('needs_person');
    await app.query(
      `insert into suppressions (sandbox, kind, person_key, phone_key, client_id) values (true, 'opt_out', $1, '', $2)`,
      [personKey(cpf), client.id],
    );
    expect(await reason()).toBe('opted_out');
    await ask(cpf, 'hardship', client.id);
    expect(await reason()).toBe('hardship');
    await app.query('update debts set due_date = $2 where id = $1', [ids[0], addYears(today, -6)]);
    expect(await reason()).toBe('prescribed');
    await app.query(`update debts set status = 'DISPUTED' where id = $1`, [ids[0]]);
    expect(await reason()).toBe('disputed');
    await app.query(`update debts set status = 'STOPPED' where id = $1`, [ids[0]]);
    expect(await reason()).toBe('state');
    await client.call('PUT', '/api/offers/policy', null);
    expect(await offers()).toEqual({ items: [], reason: 'no_policy' });
  });

  it('offers a debt until five years after its due date, as long as the client may collect it', async () => {
    const { offers } = await newPerson([{ dueDate: addYears(today, -5) }]);
    expect((await offers()).reason).toBeNull();
    const late = await newPerson([{ dueDate: addDays(addYears(today, -5), -1) }]);
    expect((await late.offers()).reason).toBe('prescribed');
  });

  it('leaves out the debts that may not be offered, and the opt-out of another client does not show', async () => {
    const { offers, ids, cpf } = await newPerson([{}, {}]);
    await app.query(`update debts set status = 'DISPUTED' where id = $1`, [ids[1]]);
    await app.query(
      `insert into suppressions (sandbox, kind, person_key, phone_key, client_id) values (true, 'opt_out', $1, '', $2)`,
      [personKey(cpf), randomUUID()],
    );
    expect((await offers()).items[0]).toMatchObject({ debtIds: [ids[0]] });
  });

  it('offers nothing of a draft, of an erased debtor, and to another client', async () => {
    const { client, offers, ids } = await newPerson();
    const draft = await client.createCampaign('Rascunho');
    await client.importJson(draft, [debtInput(96_000)]);
    const [{ id }] = (await client.call('GET', `/api/campaigns/${draft}/debts`)).body.items;
    expect(await offers(id)).toEqual({ items: [], reason: 'state' });
    await app.query(`update debts set debtor_tax_id = '', erased_at = now() where id = $1`, [ids[0]]);
    expect(await offers()).toEqual({ items: [], reason: 'state' });
    const other = await app.newClient();
    expect((await other.call('GET', `/api/debts/${ids[0]}/offers`)).status).toBe(404);
    expect((await client.call('GET', '/api/debts/nenhuma/offers')).status).toBe(404);
  });
});

describe('POST /api/debts/:id/offers', () => {
  const OFFER = { discountPercent: 20, instalments: 4, entryPercent: 25, firstDueDate: addDays(today, 7) };
  const make = ({ client, ids }: Offered, change: object = {}) =>
    client.call('POST', `/api/debts/${ids[0]}/offers`, { ...OFFER, ...change });

  it('makes an offer within the policy, which stands beside the others', async () => {
    const person = await newPerson();
    const { items } = await person.offers();
    const { status, body } = await make(person);
    expect(status).toBe(201);
    expect(body).toMatchObject({ number: 4, kind: 'instalments', total: 800, discount: 200, entry: 200 });
    expect(body.instalments).toHaveLength(4);
    expect(await person.offers()).toEqual({ items: [...items, body], reason: null });
  });

  it.each([
    [{ discountPercent: 30.01 }, ['/discountPercent']],
    [{ instalments: 13 }, ['/instalments']],
    [{ firstDueDate: addDays(today, 11) }, ['/firstDueDate']],
    [{ discountPercent: 99, instalments: 13 }, ['/discountPercent', '/instalments', '/instalments']],
  ])('needs a confirmation for what the policy does not allow: %j', async (change, pointers) => {
    const person = await newPerson();
    const { status, body } = await make(person, change);
    expect([status, body.code]).toEqual([409, 'offer_outside_policy']);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
    expect((await make(person, { ...change, confirm: true })).status).toBe(201);
  });

  it('takes the confirmation of an owner alone', async () => {
    const person = await newPerson();
    for (const role of ['manager', 'agent']) {
      const { token: bearer } = await addMember(app, person.client.id, role, person.client.password);
      const ask = (change: object) =>
        app.call('POST', `/api/debts/${person.ids[0]}/offers`, { body: { ...OFFER, ...change }, bearer });
      const beyond = await ask({ discountPercent: 30.01, confirm: true });
      expect([role, beyond]).toMatchObject([role, { status: 409, body: { code: 'offer_outside_policy' } }]);
      expect([role, (await ask({ confirm: true })).status]).toEqual([role, 201]);
    }
  });

  it('tells too many instalments from instalments that are too small', async () => {
    const { body } = await make(await newPerson([{}], { minInstalment: 100 }), { instalments: 13 });
    expect(body.errors).toMatchObject([
      { pointer: '/instalments', code: 'outside_policy' },
      { pointer: '/instalments', code: 'smallest_instalment' },
    ]);
  });

  it('needs one for an entry below that of the policy', async () => {
    const person = await newPerson([{}], { minEntryPercent: 30 });
    expect((await make(person)).body.errors).toMatchObject([{ pointer: '/entryPercent', code: 'outside_policy' }]);
    expect((await make(person, { entryPercent: 30 })).status).toBe(201);
  });

  it.each([
    [{ firstDueDate: addDays(today, -1) }, '/firstDueDate'],
    [{ firstDueDate: addDays(today, 367), confirm: true }, '/firstDueDate'],
    [{ firstDueDate: '2026-02-30' }, '/firstDueDate'],
    [{ instalments: 61, confirm: true }, '/instalments'],
    [{ entryPercent: 100, confirm: true }, '/instalments'],
    [{ discountPercent: 100, confirm: true }, '/discountPercent'],
    [{ discountPercent: 10.001 }, '/discountPercent'],
    [{ entryPercent: -1 }, '/entryPercent'],
  ])('refuses %j at %s', async (change, pointer) => {
    const { status, body } = await make(await newPerson(), change);
    expect([status, body.errors.map((one: { pointer: string }) => one.pointer)]).toEqual([400, [pointer]]);
  });

  it('moves a first day that is no business day to the next one', async () => {
    const person = await newPerson([{}], { maxDaysToFirst: 90 });
    const { body } = await make(person, { firstDueDate: nextSunday(), instalments: 1, entryPercent: 0 });
    expect(body.instalments[0].dueDate > nextSunday()).toBe(true);
    expect(new Date(`${body.instalments[0].dueDate}T12:00:00Z`).getUTCDay()).not.toBe(0);
  });
  const nextSunday = () => addDays(today, 7 - new Date(`${today}T12:00:00Z`).getUTCDay());

  it('is how a person above the amount of the policy gets an offer', async () => {
    const person = await newPerson([{}], { personAbove: 999 });
    expect((await person.offers()).reason).toBe('needs_person');
    const { body } = await make(person);
    expect(await person.offers()).toEqual({ items: [body], reason: null });
  });

  it('offers nothing without a policy, of a disputed debt, and with an API key', async () => {
    const without = await newPerson([{}], null);
    expect((await make(without, { confirm: true })).body.code).toBe('offer_outside_policy');
    const person = await newPerson();
    await app.query(`update debts set status = 'DISPUTED' where id = $1`, [person.ids[0]]);
    expect((await make(person, { confirm: true })).body).toMatchObject({ status: 409, code: 'debt_state' });
    const { apiKey } = (await person.client.call('POST', '/api/onboarding/me/api-key')).body;
    const answer = await app.call('POST', `/api/debts/${person.ids[0]}/offers`, { body: OFFER, bearer: apiKey });
    expect(answer).toMatchObject({ status: 401, body: { code: 'access_token_required' } });
  });

  it('is answered again by the same offer for the same Idempotency-Key', async () => {
    const { client, ids } = await newPerson();
    const post = async () =>
      (
        await fetch(`${app.url}/api/debts/${ids[0]}/offers`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${client.token}`,
            'content-type': 'application/json',
            'idempotency-key': 'oferta-1',
          },
          body: JSON.stringify(OFFER),
        })
      ).json();
    expect(await post()).toEqual(await post());
  });
});
