import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { cpfOf, debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { addMember, newKey } from './accounts/accounts.ts';

interface Person {
  readonly id: string;
  readonly name: string;
}

interface Item {
  readonly debt: { readonly id: string };
  readonly reason: string;
  readonly assignee?: Person;
  readonly viewing: readonly Person[];
  readonly personKey: string;
}

const app = await opened(startCampaignsApp());
const second = await opened(startCampaignsApp({ database: app.database }));
const [client, stranger] = [await app.newClient(), await app.newClient()];

type Member = Person & Pick<TestClient, 'call'>;

async function member(name: string, role: string, of: TestClient = client): Promise<Member> {
  const { token } = await addMember(app, of.id, role, of.password);
  const [row] = await app.query<{ id: string }>(
    `update members set name = $2 where id = (select id from members where client_id = $1 order by created_at desc limit 1)
     returning id`,
    [of.id, name],
  );
  const call: TestClient['call'] = (method, path, given) => app.call(method, path, { body: given, bearer: token });
  return { id: row!.id, name, call };
}

let number = 0;
/** Imports debts and opens an item for each reason of each, one minute after the other. */
async function cases(of: TestClient, ...reasons: (readonly string[])[]): Promise<string[]> {
  return personsCases(of, ...reasons.map((each) => ({ person: null, reasons: each })));
}

async function personsCases(
  of: TestClient,
  ...given: readonly { readonly person: string | null; readonly reasons: readonly string[] }[]
): Promise<string[]> {
  const campaignId = await of.createCampaign();
  const debts = given.map(({ person }) => {
    number += 1;
    return debtInput(number, person === null ? {} : { debtorCpf: person });
  });
  await of.importJson(campaignId, debts);
  const { items } = (await of.call('GET', `/api/campaigns/${campaignId}/debts?limit=100`)).body;
  const ids = (items as { id: string }[]).map(({ id }) => id);
  let minute = 0;
  for (const [index, { reasons }] of given.entries()) {
    for (const reason of reasons) {
      minute += 1;
      await app.query(
        `insert into inbox_items (client_id, debt_id, reason, since)
         values ($1, $2, $3, timestamptz '2026-11-18 12:00:00Z' + make_interval(mins => $4))`,
        [of.id, ids[index], reason, minute],
      );
    }
  }
  return ids;
}

const [ana, bruno, vera] = [
  await member('Ana', 'agent'),
  await member('Bruno', 'manager'),
  await member('Vera', 'viewer'),
];

const assign = (
  debtId: string,
  memberId: string | null,
  { by = ana, seen }: { by?: Member; seen?: string | null } = {},
) => by.call('PUT', `/api/inbox/${debtId}/assignee`, { memberId, ...(seen !== undefined && { seen }) });
const inbox = async (query = '', who: Pick<TestClient, 'call'> = client): Promise<Item[]> =>
  (await who.call('GET', `/api/inbox?limit=100${query}`)).body.items;
const itemsOf = async (debtId: string, who?: Pick<TestClient, 'call'>): Promise<Item[]> =>
  (await inbox('', who)).filter(({ debt }) => debt.id === debtId);
const assigneesOf = async (debtId: string): Promise<(string | undefined)[]> =>
  (await itemsOf(debtId)).map(({ assignee }) => assignee?.name);
const idsOf = (items: readonly Item[]): string[] => items.map(({ debt }) => debt.id);
const audited = (debtId: string) =>
  app.query<{ details: unknown; member_id: string }>(
    `select details - 'by' as details, member_id from audit_log
     where action = 'case_assigned' and target = $1 order by at`,
    [debtId],
  );

describe('PUT /api/inbox/:debtId/assignee', () => {
  it('gives all that a debt waits for to a member, and back to nobody, and says who did it', async () => {
    const [id] = await cases(client, ['disputed', 'human']);
    expect(await assign(id!, bruno.id)).toMatchObject({
      status: 200,
      body: { assignee: { id: bruno.id, name: 'Bruno' } },
    });
    expect(await assigneesOf(id!)).toEqual(['Bruno', 'Bruno']);
    expect((await client.call('GET', `/api/debts/${id}`)).body.assignee).toEqual({ id: bruno.id, name: 'Bruno' });
    expect((await assign(id!, bruno.id)).status).toBe(200);
    expect((await assign(id!, null)).body).toEqual({});
    expect(await itemsOf(id!)).toEqual([
      expect.not.objectContaining({ assignee: expect.anything() }),
      expect.anything(),
    ]);
    expect((await client.call('GET', `/api/debts/${id}`)).body).not.toHaveProperty('assignee');
    expect(await audited(id!)).toEqual([
      { details: { from: null, to: bruno.id }, member_id: ana.id },
      { details: { from: bruno.id, to: null }, member_id: ana.id },
    ]);
  });

  it('ends with the case, and what comes up before that belongs to the same member', async () => {
    const [id] = await cases(client, ['undelivered']);
    await assign(id!, ana.id);
    await app.query(`update debts set status = 'UNREACHABLE' where id = $1`, [id]);
    await app.query(
      `update campaigns set launched_at = now() where id = (select campaign_id from debts where id = $1)`,
      [id],
    );
    const withdrawn = await ana.call('POST', `/api/debts/${id}/withdraw`);
    expect(withdrawn.status).toBe(200);
    expect(await itemsOf(id!)).toEqual([]);
    expect(await assign(id!, ana.id)).toMatchObject({ status: 409, body: { code: 'debt_state' } });
    await app.query(`insert into inbox_items (client_id, debt_id, reason) values ($1, $2, 'refunded')`, [
      client.id,
      id,
    ]);
    expect(await assigneesOf(id!)).toEqual([undefined]);
  });

  it('lets the first of two members who take a case at once have it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [id] = await cases(client, ['human']);
      const answers = await Promise.all([ana, bruno].map((by) => assign(id!, by.id, { by, seen: null })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const [won, lost] = answers[0]!.status === 200 ? [ana, bruno] : [bruno, ana];
      expect(answers.find(({ status }) => status === 409)!.body.code).toBe('case_taken');
      expect(await assigneesOf(id!)).toEqual([won.name]);
      expect((await assign(id!, lost.id, { by: lost, seen: won.id })).status).toBe(200);
      expect(await assigneesOf(id!)).toEqual([lost.name]);
    }
  });

  it('takes only members of the company who may work on debts', async () => {
    const [id] = await cases(client, ['human']);
    const other = await member('Outra', 'agent', stranger);
    for (const memberId of [vera.id, other.id, randomUUID()]) {
      expect(await assign(id!, memberId)).toMatchObject({ status: 400, body: { errors: [{ pointer: '/memberId' }] } });
    }
    expect(await assign(id!, ana.id, { by: vera })).toMatchObject({ status: 403, body: { code: 'role_insufficient' } });
    expect(await assign(id!, other.id, { by: other })).toMatchObject({ status: 404 });
    expect((await assign('nonsense', ana.id)).status).toBe(404);
    const key = await newKey(app, client.token);
    const byKey = await app.call<{ code: string }>('PUT', `/api/inbox/${id}/assignee`, {
      body: { memberId: ana.id },
      bearer: key,
    });
    expect([byKey.status, byKey.body.code]).toEqual([401, 'access_token_required']);
    expect(await assigneesOf(id!)).toEqual([undefined]);
    const { items } = (await ana.call('GET', '/api/inbox/members')).body;
    expect(items).toEqual(
      expect.arrayContaining([
        { id: ana.id, name: 'Ana' },
        { id: bruno.id, name: 'Bruno' },
      ]),
    );
    expect((items as Person[]).map((one) => one.id)).not.toContain(vera.id);
  });

  it.each([
    ['is removed', (id: string) => client.call('DELETE', `/api/members/${id}`)],
    ['may not work any more', (id: string) => client.call('PATCH', `/api/members/${id}`, { role: 'viewer' })],
  ])('leaves no case with a member who %s, also when it is given at the same moment', async (_, change) => {
    const leaver = await member('Lia', 'agent');
    const [kept, given, another] = await cases(client, ['human'], ['human'], ['human']);
    await assign(kept!, leaver.id);
    await assign(another!, ana.id);
    const [changed] = await Promise.all([change(leaver.id), assign(given!, leaver.id)]);
    expect(changed.status).toBeLessThan(300);
    expect(await assigneesOf(kept!)).toEqual([undefined]);
    expect(await assigneesOf(given!)).toEqual([undefined]);
    expect(await assigneesOf(another!)).toEqual(['Ana']);
  });

  it('never gives away a case that ends at the same moment', async () => {
    const ids = await cases(client, ...Array.from({ length: 5 }, () => ['undelivered']));
    await app.query(`update debts set status = 'UNREACHABLE' where id = any($1)`, [ids]);
    for (const id of ids) {
      const [assigned] = await Promise.all([assign(id, ana.id), bruno.call('POST', `/api/debts/${id}/withdraw`)]);
      expect([200, 409]).toContain(assigned.status);
      expect(await itemsOf(id)).toEqual([]);
    }
  });

  it('filters the inbox and its counts', async () => {
    const of = await app.newClient();
    const [carla, diego] = [await member('Carla', 'agent', of), await member('Diego', 'agent', of)];
    const ids = await cases(of, ['disputed', 'human'], ['human'], ['negotiate']);
    await assign(ids[0]!, carla.id, { by: carla });
    await assign(ids[1]!, diego.id, { by: carla });
    expect(new Set(idsOf(await inbox('&assignee=me', carla)))).toEqual(new Set([ids[0]]));
    expect(idsOf(await inbox('&assignee=me&reason=human', carla))).toEqual([ids[0]]);
    expect(idsOf(await inbox(`&assignee=${diego.id}`, carla))).toEqual([ids[1]]);
    expect(idsOf(await inbox('&assignee=none&by=person', carla))).toEqual([ids[2]]);
    const { counts } = (await carla.call('GET', '/api/inbox?assignee=me')).body;
    expect(counts).toMatchObject({ disputed: 1, human: 1, negotiate: 0, open: 2 });
    const key = await newKey(app, of.token);
    const wrong = await app.call<{ errors: unknown }>('GET', '/api/inbox?assignee=me', { bearer: key });
    expect([wrong.status, wrong.body.errors]).toEqual([400, [expect.objectContaining({ parameter: 'assignee' })]]);
    expect((await carla.call('GET', '/api/inbox?assignee=nobody')).status).toBe(400);
  });
});

describe('POST /api/inbox/:debtId/viewing', () => {
  const view = (debtId: string, by: Member) => by.call('POST', `/api/inbox/${debtId}/viewing`);

  it('tells the others for two minutes who has a case open, in every process, and stands in no log', async () => {
    const [id, next] = await cases(client, ['human'], ['human']);
    const before = (await client.call('GET', '/api/audit?limit=1')).body.items;
    expect(await view(id!, ana)).toMatchObject({ status: 200, body: { viewing: [] } });
    const person = { id: ana.id, name: 'Ana' };
    expect((await view(id!, bruno)).body).toEqual({ viewing: [person] });
    expect((await itemsOf(id!, bruno))[0]!.viewing).toEqual([person]);
    expect((await itemsOf(id!, ana))[0]!.viewing).toEqual([{ id: bruno.id, name: 'Bruno' }]);
    const elsewhere = await second.get<Item>(`/api/debts/${id}`, client.token);
    expect(elsewhere.body.viewing.map(({ name }) => name)).toEqual(['Ana', 'Bruno']);
    // Whoever opens another case has left this one.
    await view(next!, bruno);
    expect((await itemsOf(id!, ana))[0]!.viewing).toEqual([]);
    await app.query(`update case_viewers set until = now() - interval '1 millisecond' where member_id = $1`, [ana.id]);
    expect((await itemsOf(id!, bruno))[0]!.viewing).toEqual([]);
    const [{ left }] = (await app.query<{ left: number }>(
      `select extract(epoch from until - now())::int as left from case_viewers where member_id = $1`,
      [bruno.id],
    )) as [{ left: number }];
    expect(left).toBeGreaterThan(60);
    expect(left).toBeLessThanOrEqual(120);
    expect((await client.call('GET', '/api/audit?limit=1')).body.items).toEqual(before);
  });

  it('waits for nobody who decides about the case', async () => {
    const [id] = await cases(client, ['human']);
    const holder = new Client({ connectionString: app.database.url });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('select from debts where id = $1 for update', [id]);
      await holder.query('update inbox_items set closed_at = now() where debt_id = $1', [id]);
      expect((await view(id!, ana)).status).toBe(200);
    } finally {
      await holder.end();
    }
  });

  it('is for members of the company who may work on debts', async () => {
    const [id] = await cases(client, ['human']);
    expect((await view(id!, vera)).status).toBe(403);
    const other = await member('Outra', 'agent', stranger);
    expect((await view(id!, other)).status).toBe(404);
    expect((await itemsOf(id!))[0]!.viewing).toEqual([]);
  });
});

describe('GET /api/inbox?by=person', () => {
  const pages = async (of: TestClient, limit: number): Promise<Item[]> => {
    const items: Item[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await of.call('GET', `/api/inbox?by=person&limit=${limit}${cursor}`);
      items.push(...body.items);
      if (body.nextCursor === null) return items;
      cursor = `&cursor=${body.nextCursor}`;
    }
  };

  it('keeps the items of a person together at the most urgent one, over pages of any size', async () => {
    const of = await app.newClient();
    const [maria, jose] = [cpfOf(700_000_001), cpfOf(700_000_002)] as const;
    const ids = await personsCases(
      of,
      { person: null, reasons: ['human'] },
      { person: maria, reasons: ['human'] },
      { person: jose, reasons: ['negotiate'] },
      { person: maria, reasons: ['hardship', 'disputed'] },
      { person: jose, reasons: ['human'] },
    );
    const expected = [
      [ids[3], 'disputed'],
      [ids[1], 'human'],
      [ids[3], 'hardship'],
      [ids[0], 'human'],
      [ids[2], 'negotiate'],
      [ids[4], 'human'],
    ];
    for (const limit of [1, 2, 4, 100]) {
      const items = await pages(of, limit);
      expect(items.map(({ debt, reason }) => [debt.id, reason])).toEqual(expected);
    }
    const keys = (await pages(of, 100)).map(({ personKey }) => personKey);
    expect([keys[0], keys[4]]).toEqual([keys[1], keys[5]]);
    expect(new Set(keys).size).toBe(3);
  });

  it('gives a person another key at another company, and erased debts keys of their own', async () => {
    const [here, there] = [await app.newClient(), await app.newClient()];
    const person = cpfOf(700_000_003);
    const ids = await personsCases(here, { person, reasons: ['human'] }, { person, reasons: ['human'] });
    await personsCases(there, { person, reasons: ['human'] });
    const [a, b] = await pages(here, 100);
    expect(a!.personKey).toBe(b!.personKey);
    expect((await pages(there, 100))[0]!.personKey).not.toBe(a!.personKey);
    await app.query(`update debts set erased_at = now(), debtor_tax_id = '' where id = any($1)`, [ids]);
    expect(new Set((await pages(here, 100)).map(({ personKey }) => personKey)).size).toBe(2);
  });

  it('refuses a cursor of the other order', async () => {
    const { body } = await client.call('GET', '/api/inbox?limit=1');
    expect((await client.call('GET', `/api/inbox?by=person&cursor=${body.nextCursor}`)).status).toBe(400);
  });
});
