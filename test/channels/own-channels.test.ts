import { expect, it } from '@jest/globals';
import { createPersonKeys } from '../../src/platform/shared/person-keys.ts';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { addMember } from '../http/accounts/accounts.ts';
import { startDeployment } from './operator.ts';

const PHONE = '+5511987654321';
const deployment = await opened(startDeployment({ roles: ['api'] }));
const { app, whatsapp, twilio, zenvia } = deployment;
const keys = createPersonKeys(deployment.env['PERSON_SECRET']!);

const bodies = {
  whatsapp: {
    channel: 'whatsapp',
    phoneNumberId: whatsapp.credentials.senderId,
    businessAccountId: whatsapp.credentials.accountId,
    accessToken: whatsapp.credentials.accessToken,
    appSecret: whatsapp.credentials.webhookSecret,
  },
  twilio: {
    channel: 'twilio',
    accountSid: twilio.credentials.accountId,
    authToken: twilio.credentials.accessToken,
    from: twilio.credentials.senderId,
  },
  zenvia: { channel: 'zenvia', token: zenvia.credentials.accessToken, from: zenvia.credentials.senderId },
  email: { channel: 'email' },
} as const;
type Name = keyof typeof bodies;

const connect = (client: TestClient, name: Name, given: object = {}) =>
  client.call('POST', '/api/channels', { ...bodies[name], ...given });
const connected = async (client: TestClient) =>
  (await client.call('GET', '/api/channels')).body.items.filter(
    ({ state }: { state: string }) => state !== 'not_connected',
  );
async function clientOn(name: Name): Promise<TestClient> {
  const client = await app.newClient();
  expect((await connect(client, name)).status).toBe(201);
  return client;
}

it.each(['whatsapp', 'twilio', 'zenvia', 'email'] as const)(
  '%s is connected, tested and disconnected',
  async (name) => {
    const client = await app.newClient();
    const { status, body } = await connect(client, name);
    expect(status).toBe(201);
    expect(body).toMatchObject({ channel: name, state: 'ready', connectedBy: 'company' });
    expect(await connected(client)).toMatchObject([
      { channel: name, state: 'ready', reason: null, sender: body.sender },
    ]);
    expect(await connected(await app.newClient())).toEqual([]);

    if (name === 'whatsapp') {
      await client.call('POST', '/api/channels/templates/push');
      whatsapp.templates.find('quita_test_v1')!.status = 'APPROVED';
      await client.call('POST', '/api/channels/templates/push');
    }
    const to = name === 'email' ? 'teste@empresa.com.br' : '(11) 98765-4321';
    const tested = await client.call('POST', `/api/channels/${name}/test`, { to });
    expect(tested).toMatchObject({ status: 200, body: { outcome: 'accepted' } });

    expect((await client.call('DELETE', `/api/channels/${name}`)).status).toBe(204);
    expect(await connected(client)).toEqual([]);
    expect((await client.call('DELETE', `/api/channels/${name}`)).status).toBe(404);

    const audit = await app.query<{ action: string; details: object }>(
      'select action, details from audit_log where client_id = $1',
      [client.id],
    );
    const actions = audit.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['client_connected', 'channel_tested', 'channel_disconnected']));
    for (const text of [JSON.stringify(body), JSON.stringify(audit)]) {
      for (const { credentials } of [whatsapp, twilio, zenvia]) expect(text).not.toContain(credentials.accessToken);
      expect(text).not.toMatch(/98765|teste@empresa/);
    }
  },
);

it('tells quality and limits where the channel does, and leaves out what it does not tell', async () => {
  const client = await clientOn('whatsapp');
  expect((await client.call('GET', '/api/channels/whatsapp')).body).toMatchObject({
    quality: 'good',
    peoplePerDay: 2_000,
    sender: '+55 11 4004-1234',
  });
  const other = (await client.call('GET', '/api/channels/twilio')).body;
  expect(other).toEqual({
    channel: 'twilio',
    state: 'not_connected',
    reason: null,
    sender: null,
    connectedBy: 'company',
  });
});

it('says whether messages of the sender may carry the Pix code, where the channel has such messages', async () => {
  const client = await clientOn('whatsapp');
  const change = (name: Name, pixCodes: unknown) => client.call('PATCH', `/api/channels/${name}`, { pixCodes });
  const read = async () => (await client.call('GET', '/api/channels/whatsapp')).body;
  const names = async (): Promise<string[]> =>
    (await client.call('GET', '/api/channels/templates')).body.items.map(({ name }: { name: string }) => name);
  expect((await read()).pixCodes).toBe('off');
  expect((await names()).filter((name) => name.includes('_pix_'))).toEqual([]);
  expect(await change('whatsapp', true)).toMatchObject({ status: 200, body: { channel: 'whatsapp', pixCodes: 'on' } });
  // The templates that copy a code are asked for with the others from now on.
  expect((await names()).filter((name) => name.includes('_pix_')).length).toBeGreaterThan(0);
  await app.query(
    `update channel_senders set pix_codes = false, pix_refusal = 'unauthorized 10' where client_id = $1`,
    [client.id],
  );
  expect(await read()).toMatchObject({ pixCodes: 'refused', pixRefusal: 'unauthorized 10', state: 'ready' });
  expect((await change('whatsapp', true)).body.pixRefusal).toBeUndefined();
  expect((await change('whatsapp', false)).body.pixCodes).toBe('off');
  const withMore = await client.call('PATCH', '/api/channels/whatsapp', { pixCodes: false, unknown: 1 });
  expect(withMore.status).toBe(200);
  expect((await change('whatsapp', 'sim')).status).toBe(400);
  expect((await change('twilio', true)).status).toBe(404);
  expect((await connect(client, 'twilio')).body.pixCodes).toBeUndefined();
  expect((await change('twilio', true)).status).toBe(404);
});

it.each([
  ['whatsapp', { accessToken: 'EAAJ-a-wrong-token' }, '/accessToken', 'credentials_refused'],
  ['whatsapp', { businessAccountId: 'no-number' }, '/businessAccountId', 'invalid_format'],
  ['twilio', { authToken: 'a-wrong-token' }, '/authToken', 'credentials_refused'],
  ['twilio', { from: '+5511999990000' }, '/from', 'sender_unknown'],
  ['zenvia', { token: 'a-wrong-token' }, '/token', 'credentials_refused'],
  ['zenvia', { webhookSecret: 'sesame' }, '/webhookSecret', 'too_short'],
] as const)('%s with %j is refused at its field, and nothing is stored', async (name, given, pointer, code) => {
  const client = await app.newClient();
  const { status, body } = await connect(client, name, given);
  expect([status, body.errors?.[0]]).toEqual([400, expect.objectContaining({ pointer, code })]);
  expect(JSON.stringify(body)).not.toContain(Object.values(given)[0]);
  expect(await connected(client)).toEqual([]);
});

it('says that a channel which does not answer is to be tried later, and stores nothing', async () => {
  const client = await app.newClient();
  twilio.next('refused_connection');
  const { status, body } = await connect(client, 'twilio');
  expect(twilio.taken).toBeDefined();
  expect([status, body.code]).toEqual([503, 'unavailable']);
  expect(body.retryAfterSeconds).toBeGreaterThan(0);
  expect(await connected(client)).toEqual([]);
});

it('pushes the templates and shows what the channel says of each', async () => {
  const client = await clientOn('whatsapp');
  whatsapp.templates.all.length = 0;
  const before = (await client.call('GET', '/api/channels/templates')).body.items;
  expect(new Set(before.map(({ state }: { state: string }) => state))).toEqual(new Set(['missing']));
  const pushed = await client.call('POST', '/api/channels/templates/push');
  expect(pushed.status).toBe(200);
  expect(pushed.body.items).toHaveLength(before.length);
  for (const template of whatsapp.templates.all) template.status = 'APPROVED';
  Object.assign(whatsapp.templates.find('quita_test_v1'), { status: 'REJECTED', rejected_reason: 'INVALID_FORMAT' });
  await client.call('POST', '/api/channels/templates/push');
  const items = (await client.call('GET', '/api/channels/templates')).body.items;
  const refused = items.filter(({ state }: { state: string }) => state !== 'approved');
  expect(refused).toEqual([
    {
      channel: 'whatsapp',
      language: 'pt_BR',
      marketingFrom: null,
      name: 'quita_test_v1',
      state: 'rejected',
      reason: expect.stringContaining('INVALID_FORMAT'),
    },
  ]);
  const tested = await client.call('POST', '/api/channels/whatsapp/test', { to: PHONE });
  expect(tested.body).toMatchObject({ outcome: 'refused', kind: 'rejected' });
  expect((await (await app.newClient()).call('GET', '/api/channels/templates')).body.items).toEqual([]);
});

it('sends five test messages an hour, each of them once', async () => {
  const client = await clientOn('twilio');
  const sent = twilio.taken.length;
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    statuses.push((await client.call('POST', '/api/channels/twilio/test', { to: PHONE })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  expect(twilio.taken).toHaveLength(sent + 5);
  expect(twilio.taken.at(-1)?.text).toContain('mensagem de teste');
});

it('sends none to who asked the company for silence, by phone or as its debtor', async () => {
  const client = await clientOn('twilio');
  const silence = (personKey: string, phoneKey: string) =>
    app.query(
      `insert into suppressions (sandbox, kind, person_key, phone_key, client_id) values (false, 'opt_out', $1, $2, $3)`,
      [personKey, phoneKey, client.id],
    );
  await silence('somebody', keys.phone(PHONE));
  const sent = twilio.taken.length;
  const { status, body } = await client.call('POST', '/api/channels/twilio/test', { to: PHONE });
  expect([status, body.errors?.[0]]).toEqual([400, expect.objectContaining({ pointer: '/to', code: 'suppressed' })]);
  expect(twilio.taken).toHaveLength(sent);

  const mailing = await clientOn('email');
  const campaignId = await mailing.createCampaign();
  const debt = {
    debtorName: 'Ana Souza',
    debtorPhone: '+5511912345678',
    debtorCpf: '52998224725',
    debtorEmail: 'Ana@Exemplo.com.br',
    originalAmount: 100,
    dueDate: '2026-01-10',
  };
  expect((await mailing.importJson(campaignId, [debt])).body.imported).toBe(1);
  await app.query(
    `insert into suppressions (sandbox, kind, person_key, phone_key, client_id) values (false, 'opt_out', $1, 'x', $2)`,
    [keys.person('52998224725'), mailing.id],
  );
  const byMail = await mailing.call('POST', '/api/channels/email/test', { to: 'ana@exemplo.com.br' });
  expect(byMail.body.errors?.[0]).toMatchObject({ pointer: '/to', code: 'suppressed' });
});

it('sends none to who asked another company for silence, and does not say so', async () => {
  const [client, other] = [await clientOn('twilio'), await app.newClient()];
  const phone = '+5511977776666';
  const sent = twilio.taken.length;
  const silence = (sandbox: boolean, kind: string) =>
    app.query(
      `insert into suppressions (sandbox, kind, person_key, phone_key, client_id) values ($1, $2, 'somebody', $3, $4)`,
      [sandbox, kind, keys.phone(phone), other.id],
    );
  const test = async () => (await client.call('POST', '/api/channels/twilio/test', { to: phone })).body;
  // What simulated people ask for binds nobody.
  await silence(true, 'opt_out');
  expect(await test()).toEqual({ outcome: 'accepted' });
  await silence(false, 'phone_opt_out');
  expect(await test()).toEqual({ outcome: 'refused', kind: 'undeliverable' });
  expect(twilio.taken).toHaveLength(sent + 1);
  const { items } = (await client.call('GET', '/api/audit?action=channel_tested')).body;
  expect(items).toHaveLength(2);
});

it.each([
  ['twilio', 'a@b.com.br', 'required'],
  ['email', PHONE, 'required'],
  ['twilio', '12', 'phone_invalid'],
  ['email', 'a@@b', 'email_invalid'],
] as const)('%s does not reach %s', async (name, to, code) => {
  const client = await clientOn(name);
  const { status, body } = await client.call('POST', `/api/channels/${name}/test`, { to });
  expect([status, body.errors?.[0]?.code]).toEqual([400, code]);
});

it('is for owners alone, in a session', async () => {
  const client = await clientOn('twilio');
  const { token } = await addMember(app, client.id, 'manager', 'Segredo123');
  const { apiKey } = (await client.call('POST', '/api/onboarding/me/api-key')).body;
  for (const [method, path, body] of [
    ['POST', '/api/channels', bodies.twilio],
    ['DELETE', '/api/channels/twilio', undefined],
    ['POST', '/api/channels/twilio/test', { to: PHONE }],
    ['POST', '/api/channels/templates/push', undefined],
  ] as const) {
    expect(await app.call(method, path, { body, bearer: token })).toMatchObject({
      status: 403,
      body: { code: 'role_insufficient' },
    });
    expect(await app.call(method, path, { body, bearer: apiKey })).toMatchObject({ status: 401 });
  }
  expect((await app.call('GET', '/api/channels/twilio', { bearer: apiKey })).status).toBe(200);
  const stranger = await app.newClient();
  expect((await stranger.call('DELETE', '/api/channels/twilio')).status).toBe(404);
  expect((await stranger.call('POST', '/api/channels/twilio/test', { to: PHONE })).body).toMatchObject({
    code: 'channel_not_ready',
    missing: [{ channel: 'twilio', template: null, reason: 'not_connected' }],
  });
  expect(await connected(client)).toHaveLength(1);
});

it('is refused where the service does not use the channel, or its configuration names the sender', async () => {
  const other = await opened(
    startDeployment({
      roles: ['api'],
      channels: 'twilio',
      env: {
        SINGLE_CLIENT: 'true',
        MERCADOPAGO_ACCESS_TOKEN: 'TEST-1',
        TWILIO_ACCOUNT_SID: twilio.credentials.accountId!,
        TWILIO_AUTH_TOKEN: twilio.credentials.accessToken,
        TWILIO_FROM: twilio.credentials.senderId,
        TWILIO_BASE_URL: twilio.baseUrl,
      },
    }),
  );
  const client = await other.app.newClient();
  const refusal = async (name: Name) => (await connect(client, name)).body.errors?.[0];
  expect(await refusal('twilio')).toMatchObject({ pointer: '/channel', code: 'set_by_operator' });
  expect(await refusal('zenvia')).toMatchObject({ pointer: '/channel', code: 'not_offered' });
  expect((await client.call('GET', '/api/channels/twilio')).body).toMatchObject({
    state: 'ready',
    connectedBy: 'operator',
  });
  expect((await client.call('POST', '/api/channels/twilio/test', { to: PHONE })).body).toEqual({
    outcome: 'accepted',
  });
});
