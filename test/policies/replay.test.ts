import { expect, it } from '@jest/globals';
import { loadPolicy } from '../../src/modules/policy/use-cases/load-policy.ts';
import { startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';

const app = await opened(startCampaignsApp());
const shipped = loadPolicy();
const { jurisdiction, rules } = shipped.text.content as { jurisdiction: string; rules: Record<string, unknown>[] };

type Change = Readonly<Record<string, object>>;
/** The shipped pack, in which some rules say something else. */
const packWith = (change: Change) => ({
  id: 'br',
  version: 'draft',
  jurisdiction,
  rules: rules.map((rule) => ({ ...rule, ...change[String(rule['id'])] })),
});
/** Until 18:00 and two contacts a week. */
const STRICTER = packWith({
  'br-hours': { windows: [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' }] },
  'br-cap-week': { count: 2 },
});
const PERIOD = { from: '2026-11-17', to: '2026-11-30' };

async function debtOf(client: TestClient, phone = '+5511987650001'): Promise<string> {
  const campaignId = await client.createCampaign();
  await client.importJson(campaignId, [debtInput(1, { debtorPhone: phone, dueDate: '2026-10-01' })]);
  return (await client.call('GET', `/api/campaigns/${campaignId}/debts`)).body.items[0].id;
}

const book = (client: TestClient, debtId: string, at: string, { person = 'joana', sandbox = false } = {}) =>
  app.query(
    `insert into contact_ledger (sandbox, person_key, phone_key, client_id, debt_id, kind, at)
     values ($1, $2, $2, $3, $4, 'booking', $5)`,
    [sandbox, `${person} of the replay`, client.id, debtId, at],
  );

async function withContacts(person: string): Promise<{ client: TestClient; debtId: string }> {
  const client = await app.newClient();
  const debtId = await debtOf(client);
  for (const at of ['16T10:00', '18T18:30', '19T10:00', '23T09:30', '24T10:00'])
    await book(client, debtId, `2026-11-${at}:00-03:00`, { person });
  return { client, debtId };
}

const replay = (client: TestClient, body: object) => client.call('POST', '/api/policy/replay', body);

it('counts the contacts that the pack would have forbidden, by rule, and changes nothing', async () => {
  const { client } = await withContacts('ana');
  const state = () =>
    app.query(`select (select count(*) from contact_ledger) ledger, (select count(*) from audit_log) log,
                      (select count(*) from policy_versions) versions, (select count(*) from outbox) outbox`);
  const before = await state();
  const { status, body } = await replay(client, { pack: STRICTER, ...PERIOD });
  expect(status).toBe(200);
  // The 16th is before the period and counts for the week. The 18th at 18:30 is not made, so the 24th is the second again.
  expect(body).toEqual({
    pack: { id: 'br', version: 'draft' },
    contacts: 4,
    forbidden: 2,
    unknownPlace: 0,
    byRule: [
      { ruleId: 'br-cap-week', contacts: 1 },
      { ruleId: 'br-hours', contacts: 1 },
    ],
  });
  expect(await state()).toEqual(before);
  // By the rules as they are shipped the 23rd is the fourth of a week, and the 24th is the third again.
  expect((await replay(client, { pack: packWith({}), ...PERIOD })).body).toMatchObject({
    contacts: 4,
    byRule: [{ ruleId: 'br-cap-week', contacts: 1 }],
  });
});

it('knows no contact of another client, not even with the same person', async () => {
  const { client } = await withContacts('bia');
  const other = await withContacts('bia');
  await book(other.client, other.debtId, '2026-11-24T09:00:00-03:00', { person: 'bia' });
  expect((await replay(client, { pack: packWith({}), ...PERIOD })).body).toMatchObject({ contacts: 4, forbidden: 1 });
  const { body } = await replay(other.client, { pack: packWith({}), ...PERIOD });
  expect(body).toMatchObject({ contacts: 5, forbidden: 2 });
  expect(body.byRule).toContainEqual({ ruleId: 'br-cap-day', contacts: 1 });
  expect((await replay(await app.newClient(), { pack: STRICTER, ...PERIOD })).body).toMatchObject({ contacts: 0 });
});

it('keeps the sandbox apart, and does not judge a contact whose phone was erased', async () => {
  const { client, debtId } = await withContacts('caio');
  await book(client, debtId, '2026-11-25T21:00:00-03:00', { person: 'caio', sandbox: true });
  const { body } = await replay(client, { pack: STRICTER, ...PERIOD, sandbox: true });
  expect(body).toMatchObject({ contacts: 1, forbidden: 1 });
  await app.query(`update debts set debtor_phone = '' where id = $1`, [debtId]);
  expect((await replay(client, { pack: STRICTER, ...PERIOD })).body).toMatchObject({ forbidden: 0, unknownPlace: 4 });
});

it('reads further pages, and a client who collects for others is held to what binds collectors', async () => {
  const client = await app.newClient();
  const debtId = await debtOf(client, '+5565987650001');
  await app.query(
    `insert into contact_ledger (sandbox, person_key, phone_key, client_id, debt_id, kind, at)
     select false, 'person ' || n, 'phone ' || n, $1, $2, 'booking', '2026-11-18T18:30:00-04:00'::timestamptz + n * interval '1 ms'
     from generate_series(1, 2500) n`,
    [client.id, debtId],
  );
  expect((await replay(client, { pack: packWith({}), ...PERIOD })).body).toMatchObject({
    contacts: 2500,
    forbidden: 0,
  });
  await app.query(`update clients set collects_for = 'others' where id = $1`, [client.id]);
  expect((await replay(client, { pack: packWith({}), ...PERIOD })).body).toMatchObject({
    forbidden: 2500,
    byRule: [{ ruleId: 'br-mt-lei-11792-2022-hours', contacts: 2500 }],
  });
});

it('takes what `GET /api/policy` answers for a pack, and ignores what that says beside the pack', async () => {
  const { client } = await withContacts('eva');
  const { body: pack } = await client.call('GET', '/api/policy');
  const { status, body } = await replay(client, { pack, ...PERIOD });
  expect([status, body]).toMatchObject([
    200,
    { pack: { id: pack.id, version: pack.version }, contacts: 4, forbidden: 1 },
  ]);
});

it('answers for rules that contradict each other, and for ids that are names of the language', async () => {
  const { client } = await withContacts('davi');
  const pack = packWith({
    'br-hours': { id: '__proto__', windows: [{ days: [1], from: '09:00', to: '10:00' }] },
    'br-due': { id: 'constructor', daysAfterDue: 3_650 },
  });
  const { status, body } = await replay(client, { pack, ...PERIOD });
  expect({ status, forbidden: body.forbidden }).toEqual({ status: 200, forbidden: 4 });
  expect(body.byRule).toEqual(
    expect.arrayContaining([
      { ruleId: '__proto__', contacts: 3 },
      { ruleId: 'constructor', contacts: 4 },
    ]),
  );
});

const first = (change: object) => ({ pack: packWith({ 'br-hours': change }), ...PERIOD });
const windows = (count: number) => first({ windows: Array(count).fill({ days: [1], from: '09:00', to: '10:00' }) });

it('tells all problems of a body at once, and none about a day that is none', async () => {
  const problemsOf = async (from: string) => {
    const { body } = await replay(await app.newClient(), { from, to: '2026-11-16' });
    return body.errors.map(({ pointer }: { pointer: string }) => pointer);
  };
  expect(await problemsOf('2026-11-17')).toEqual(['/pack', '/to']);
  expect(await problemsOf('2026-02-30')).toEqual(['/pack', '/from']);
});

it.each<[string, object, string]>([
  ['no pack', PERIOD, '/pack'],
  ['a year and a day', { pack: STRICTER, from: '2025-11-17', to: '2026-11-18' }, '/to'],
  ['a period that ends before it begins', { pack: STRICTER, from: '2026-11-17', to: '2026-11-16' }, '/to'],
  ['a day that does not exist', { pack: STRICTER, from: '2026-02-30', to: '2026-03-01' }, '/from'],
  [
    'a window of 25 hours',
    first({ windows: [{ days: [1], from: '00:00', to: '25:00' }] }),
    '/pack/rules/0/windows/0/to',
  ],
  ['very many windows', windows(51), '/pack/rules/0/windows'],
  ['a window of another kind of rule', first({ rule: 'caps' }), '/pack/rules/0'],
  ['a bill that calls itself a law', first({ status: 'law', source: 'PL 1/2027' }), '/pack/rules/0/status'],
  ['a member that no rule has', first({ pattern: '(a+)+$' }), '/pack/rules/0'],
])('refuses %s at its field', async (_name, body, pointer) => {
  const client = await app.newClient();
  const { status, body: problem } = await replay(client, body);
  expect({ status, code: problem.code }).toEqual({ status: 400, code: 'validation_failed' });
  expect(problem.errors.map((error: { pointer: string }) => error.pointer)).toContainEqual(
    expect.stringContaining(pointer),
  );
});

it('refuses packs that are deep or large', async () => {
  const client = await app.newClient();
  const send = async (body: string) => {
    const headers = { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' };
    return (await fetch(`${app.url}/api/policy/replay`, { method: 'POST', headers, body })).status;
  };
  expect(await send(`{"pack":${'['.repeat(50_000)}${']'.repeat(50_000)}}`)).toBe(400);
  expect(await send(JSON.stringify({ pack: STRICTER, ...PERIOD, more: 'a'.repeat(300_000) }))).toBe(413);
  expect(await send(JSON.stringify({ pack: STRICTER, ...PERIOD }))).toBe(200);
});

it('judges a notice of an agreement by the prescription of its instalment, as the gate does', async () => {
  const client = await app.newClient();
  const debtId = await debtOf(client);
  const at = '2026-11-19T10:00:00-03:00';
  // More than five years old by now; the agreement was made before.
  await app.query(`update debts set due_date = '2021-11-10' where id = $1`, [debtId]);
  await book(client, debtId, at, { person: 'gil' });
  await app.query(
    `insert into messages (client_id, debt_id, direction, channel, purpose, phone, text, at, delivery, attempt_key)
     values ($1, $2, 'out', 'sandbox', 'agreement', '+5511987650001', 'aviso', $3, 'delivered', gen_random_uuid()::text)`,
    [client.id, debtId, at],
  );
  expect((await replay(client, { pack: packWith({}), ...PERIOD })).body).toMatchObject({ contacts: 1, forbidden: 0 });
});
