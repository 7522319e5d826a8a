import { describe, expect, it } from '@jest/globals';
import { createPersonKeys } from '../../src/platform/shared/person-keys.ts';
import { SECRETS } from '../../testing/app.ts';
import { startCampaignsApp } from '../../testing/campaigns-app.ts';
import { type DebtInput, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { pageIn } from '../../testing/pages.ts';

const DAY = 24 * 3_600_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);

const app = await opened(startCampaignsApp());
const client = await app.newClient();

async function draftOf(debts: readonly DebtInput[], owner = client): Promise<string> {
  const campaignId = await owner.createCampaign();
  if (debts.length === 0) return campaignId;
  const { body } = await owner.importJson(campaignId, debts);
  if (body.imported !== debts.length) throw new Error(JSON.stringify(body));
  return campaignId;
}

const rehearse = (campaignId: string, owner = client) => owner.call('POST', `/api/campaigns/${campaignId}/rehearse`);

/** A hash of each table but those that count requests and logins. */
async function contentOfTables(): Promise<Record<string, string>> {
  const tables = await app.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  );
  const content: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await app.query<{ hash: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(each::text, ',' order by each::text)), '') as hash from "${name}" each`,
    );
    content[name] = row?.hash ?? '';
  }
  return content;
}

describe('POST /api/campaigns/:id/rehearse', () => {
  it('says when and how often people are contacted, who never is, and what to know before the launch', async () => {
    const [first, second] = [debtInput(1, { dueDate: daysAgo(60) }), debtInput(2, { dueDate: daysAgo(90) })];
    const campaignId = await draftOf([
      first,
      { ...second, debtorCpf: first.debtorCpf },
      debtInput(3, { dueDate: daysAgo(3_000) }),
      debtInput(4, { dueDate: daysAgo(-200) }),
      debtInput(5, { dueDate: daysAgo(30), debtorPhone: '+5592981110000' }),
    ]);
    const before = Date.now();
    const { status, body } = await rehearse(campaignId);
    expect(status).toBe(200);
    expect(Date.parse(body.from)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(body.to) - Date.parse(body.from)).toBe(30 * DAY);
    expect(body.debts).toEqual({ total: 5, contacted: 3, later: 1 });
    expect(body.never).toEqual([{ rule: 'prescription', debts: 1 }]);
    expect(body.warnings).toEqual([
      { code: 'several_debts_of_one_person', debts: 2 },
      { code: 'prescribed', debts: 1 },
    ]);
    const messages = body.contacts.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
    expect(body.people.contacts.map(({ people }: { people: number }) => people)).toEqual(expect.arrayContaining([2]));
    const ofPeople = body.people.contacts.map((one: { contacts: number; people: number }) => one.contacts * one.people);
    expect(ofPeople.reduce((sum: number, one: number) => sum + one, 0)).toBe(messages);
    expect(messages).toBeGreaterThanOrEqual(6);
    for (const { hour } of body.contacts) expect(hour).toBeGreaterThanOrEqual(9);
    for (const { hour } of body.contacts) expect(hour).toBeLessThan(19);
    expect(Date.parse(body.firstAt)).toBeGreaterThanOrEqual(Date.parse(body.from));
    expect(body.cost).toEqual([{ channel: 'sandbox', messages, unit: 0, total: 0 }]);
    const { unit } = body.onWhatsapp;
    expect(unit).toBeGreaterThan(0);
    expect(body.onWhatsapp).toMatchObject({ messages, unit, total: Math.ceil(unit * messages * 100 - 1e-6) / 100 });
  });

  it('keeps the hours that bind a collector alone', async () => {
    const owner = await app.newClient();
    // In Mato Grosso a collector has until 18:00, and a creditor itself until 19:00.
    const campaignId = await draftOf([debtInput(8, { dueDate: daysAgo(30), debtorPhone: '+5565981110000' })], owner);
    const hours = { from: '18:00', to: '19:00' };
    const change = (path: string, body: object) => owner.call('PATCH', path, body);
    expect(await change(`/api/campaigns/${campaignId}`, { hours })).toMatchObject({ status: 200 });
    const itself = (await rehearse(campaignId, owner)).body;
    expect(new Set(itself.contacts.map(({ hour }: { hour: number }) => hour))).toEqual(new Set([18]));
    expect(await change('/api/onboarding/me', { collectsFor: 'others' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/collectsFor', code: 'hours_empty' }] },
    });
    await change(`/api/campaigns/${campaignId}`, { hours: { from: '17:00', to: '19:00' } });
    expect(await change('/api/onboarding/me', { collectsFor: 'others' })).toMatchObject({ status: 200 });
    const others = (await rehearse(campaignId, owner)).body;
    expect(others.debts).toEqual({ total: 1, contacted: 1, later: 0 });
    for (const { hour } of others.contacts) expect(hour).toBe(17);
  });

  it('shows first messages of different people as the collection composes them, with links that lead nowhere', async () => {
    const debts = [11, 12, 13, 14, 15].map((n) => debtInput(n, { dueDate: daysAgo(40) }));
    const campaignId = await draftOf([
      ...debts,
      debtInput(16, { debtorCpf: debts[0]?.debtorCpf, dueDate: daysAgo(50) }),
    ]);
    const { examples } = (await rehearse(campaignId)).body;
    expect(examples).toHaveLength(3);
    expect(new Set(examples.map(({ debtId }: { debtId: string }) => debtId)).size).toBe(3);
    for (const { channel, text } of examples) {
      expect(channel).toBe('sandbox');
      expect(text).toContain('Maria');
      expect(text).toContain('Escola Aurora');
      expect(pageIn(text)?.id).toBe('00000000-0000-4000-8000-000000000000');
    }
  });

  it('writes nothing', async () => {
    const campaignId = await draftOf([
      debtInput(21, { dueDate: daysAgo(60) }),
      debtInput(22, { dueDate: daysAgo(61), debtorCpf: debtInput(21).debtorCpf }),
    ]);
    const before = await contentOfTables();
    expect((await rehearse(campaignId)).status).toBe(200);
    expect(await contentOfTables()).toEqual(before);
  });

  it('says by which rule a debt is not contacted that the debtor has disputed before the launch', async () => {
    const campaignId = await draftOf([31, 32].map((n) => debtInput(n, { dueDate: daysAgo(60) })));
    expect((await rehearse(campaignId)).body.debts.contacted).toBe(2);
    await app.query(`update debts set status = 'DISPUTED' where invoice_id = 'NF-31' and campaign_id = $1`, [
      campaignId,
    ]);
    const { body } = await rehearse(campaignId);
    expect(body.never).toEqual([{ rule: 'dispute', debts: 1 }]);
    expect(body.debts).toEqual({ total: 2, contacted: 1, later: 0 });
  });

  it('counts the contacts of its own client, and nothing that another client has made', async () => {
    const campaignId = await draftOf([debtInput(61, { dueDate: daysAgo(60) })]);
    const free = (await rehearse(campaignId)).body;
    const person = createPersonKeys(SECRETS['PERSON_SECRET'] ?? '');
    const book = (clientId: string) =>
      app.query(
        `insert into contact_ledger (sandbox, person_key, phone_key, client_id, debt_id, kind, at)
         select true, $1, $2, $3, gen_random_uuid(), 'booking', $4::timestamptz + n * interval '1 hour'
         from generate_series(1, 3) n`,
        [person.person(debtInput(61).debtorCpf), person.phone(debtInput(61).debtorPhone), clientId, free.firstAt],
      );
    const { firstAt } = free;
    await book((await app.newClient()).id);
    const other = (await rehearse(campaignId)).body;
    expect([other.firstAt >= firstAt, Date.parse(other.firstAt) - Date.parse(firstAt) < DAY]).toEqual([true, true]);
    expect(other.people).toEqual(free.people);
    await book(client.id);
    const { body } = await rehearse(campaignId);
    expect(Date.parse(body.firstAt) - Date.parse(firstAt)).toBeGreaterThan(7 * DAY);
    expect(body.people.movedByCap).toBeGreaterThan(0);
  });

  it('is for drafts with debts, of their own client', async () => {
    const other = await app.newClient();
    const mine = await draftOf([debtInput(41)]);
    const [foreign, unknown] = [await rehearse(mine, other), await rehearse('5f0c5b0e-4b35-4a53-9c2f-0d3bb4f0c0de')];
    expect([foreign.status, foreign.body.code, foreign.body.detail]).toEqual([404, 'not_found', unknown.body.detail]);
    expect((await rehearse('nothing')).status).toBe(404);
    const empty = await rehearse(await draftOf([]));
    expect([empty.status, empty.body.code]).toEqual([409, 'campaign_empty']);
    await client.call('POST', `/api/campaigns/${mine}/launch`);
    const launched = await rehearse(mine);
    expect([launched.status, launched.body.code]).toEqual([409, 'campaign_not_draft']);
    const nobody = await app.call<{ code: string }>('POST', `/api/campaigns/${mine}/rehearse`);
    expect([nobody.status, nobody.body.code]).toEqual([401, 'unauthenticated']);
  });

  it('plays at most three rehearsals, and answers others with 503 and when to come again', async () => {
    const campaignId = await draftOf([debtInput(51, { dueDate: daysAgo(60) })]);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        app.call<{ code: string }>('POST', `/api/campaigns/${campaignId}/rehearse`, { bearer: client.token }),
      ),
    );
    const refused = answers.filter(({ status }) => status === 503);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(3);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers, body } of refused) {
      expect([body.code, Number(headers.get('retry-after')) > 0]).toEqual(['unavailable', true]);
    }
    expect((await rehearse(campaignId)).status).toBe(200);
  });
});
