import { describe, expect, it } from '@jest/globals';
import { composeChannels } from '../../src/app/compose/channels.ts';
import { composeChannelCredentials, composeSenderSources } from '../../src/app/compose/senders.ts';
import { checkSenders } from '../../src/modules/messaging/use-cases/check-senders.ts';
import { LAUNCH_TEMPLATES, REMINDER_TEMPLATES } from '../../src/modules/messaging/use-cases/product-templates.ts';
import { sendersFrom } from '../../src/modules/messaging/use-cases/senders-of.ts';
import { loadConfig } from '../../src/platform/config/index.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createCollectionWorkflows } from '../../src/platform/temporal/collection-workflows.ts';
import { startApp } from '../../testing/app.ts';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { opened } from '../../testing/opened.ts';
import { pagePath } from '../../testing/pages.ts';
import { until } from '../../testing/poll.ts';
import { COMPANY_ADDRESS, verifyCompany } from '../../testing/verified-company.ts';
import { newDebt } from '../payments/support.ts';
import { MAIL_FROM, startDeployment } from './operator.ts';

const deployment = await opened(startDeployment());
const config = loadConfig({ NODE_ENV: 'test', ...deployment.env });
const db = await opened(openDatabase({ url: deployment.app.database.url, role: 'quita_worker' }));
const sendersOf = sendersFrom(
  composeSenderSources(config, composeChannels(config, db), composeChannelCredentials(config, db)),
);
const workflows = createCollectionWorkflows({ sandboxMaxWaitMs: 300, clockOffsetMs: 0 });
const run = checkSenders({ db, now: () => new Date(), note: () => {}, workflows, sendersOf });
/** One run of the hourly check, as the worker does it. */
const check = () => run(() => {});

/** A client that lacks nothing for a launch but its channels, with a draft of one debt. */
async function fitClient() {
  const { app, provider, quita } = deployment;
  const client = await app.newClient();
  const { campaignId } = await newDebt(app, {}, client);
  await verifyCompany(app.query, client.id);
  const paid = await quita(['clients', 'connect', client.id], { input: `${provider.accessToken}\n\n` });
  if (paid.code !== 0) throw new Error(paid.err);
  return {
    ...client,
    campaignId,
    choose: (...channels: string[]) =>
      app.query('update campaigns set channels = $2 where id = $1', [campaignId, channels]),
    launch: async () => (await client.call('POST', `/api/campaigns/${campaignId}/launch`)).body,
    channels: async () => (await client.call('GET', '/api/channels')).body.items,
  };
}

const connected = async (client: Pick<TestClient, 'id'>, ...channels: readonly ('whatsapp' | 'twilio' | 'email')[]) => {
  for (const channel of channels) {
    const { code, err } = await deployment.connect(client, channel);
    if (code !== 0) throw new Error(err);
  }
};

const absent = (channel: string) => ({ channel, state: 'not_connected', reason: null, sender: null });

describe('GET /api/channels', () => {
  it('lists every channel, and what debtors see of those that are connected', async () => {
    const client = await fitClient();
    expect(await client.channels()).toEqual(['whatsapp', 'twilio', 'zenvia', 'email'].map(absent));
    await connected(client, 'whatsapp', 'email');
    expect(await client.channels()).toEqual([
      expect.objectContaining({ channel: 'whatsapp', state: 'ready', reason: null, sender: '+55 11 4004-1234' }),
      absent('twilio'),
      absent('zenvia'),
      { channel: 'email', state: 'ready', reason: null, sender: MAIL_FROM },
    ]);
    expect((await deployment.app.get<{ code: string }>('/api/channels')).body.code).toBe('unauthenticated');
  });

  it('lists the channels of the deployment first, and all as not connected on a sandbox one', async () => {
    const { app } = deployment;
    const client = await app.newClient();
    const other = await startApp({
      database: app.database,
      env: { ...deployment.env, MESSAGING_CHANNEL: 'email,twilio' },
    });
    const sandbox = await startApp({ database: app.database });
    try {
      type Listed = { items: { channel: string; state: string }[] };
      const order = (await other.get<Listed>('/api/channels', client.token)).body.items.map(({ channel }) => channel);
      expect(order).toEqual(['email', 'twilio', 'whatsapp', 'zenvia']);
      const { items } = (await sandbox.get<Listed>('/api/channels', client.token)).body;
      expect(items).toEqual(['whatsapp', 'twilio', 'zenvia', 'email'].map(absent));
    } finally {
      await sandbox.close();
      await other.close();
    }
  });
});

describe('a launch', () => {
  it('names each template that is not approved, asks WhatsApp again, and goes by what it said when it does not answer', async () => {
    const { app, whatsapp, quita } = deployment;
    const client = await fitClient();
    expect((await client.launch()).code).toBe('creditor_incomplete');
    await connected(client, 'whatsapp');
    const none = await client.launch();
    expect(none).toMatchObject({ status: 409, code: 'channel_not_ready' });
    expect(none.missing).toContainEqual({ channel: 'whatsapp', template: 'quita_receipt_v2', reason: 'missing' });

    await quita(['channels', 'templates', 'push', client.id]);
    const { all } = whatsapp.templates;
    for (const template of all) template.status = 'APPROVED';
    Object.assign(whatsapp.templates.find('quita_receipt_v2'), { status: 'REJECTED', rejected_reason: 'SCAM' });
    const rejected = await client.launch();
    expect(rejected.missing).toHaveLength(1);
    expect(rejected.missing[0]).toMatchObject({ channel: 'whatsapp', template: 'quita_receipt_v2' });
    expect(rejected.missing[0].reason).toMatch(/^rejected .*SCAM/);

    // Nothing of these answers was stored by the API, so without an answer all are pending still.
    whatsapp.next('server_error');
    const silent = await client.launch();
    expect(silent.missing).toHaveLength(LAUNCH_TEMPLATES.length);
    expect(silent.missing[0].reason).toBe('pending');

    whatsapp.templates.find('quita_receipt_v2').status = 'APPROVED';
    // The test message is not needed.
    whatsapp.templates.find('quita_test_v1').status = 'PENDING';
    await quita(['channels', 'templates', 'status', client.id]);
    const asked = whatsapp.requests.length;
    expect(await client.launch()).toMatchObject({ status: 'RUNNING', sandbox: false });
    expect(whatsapp.requests.slice(asked).filter(({ path }) => path.includes('message_templates'))).toEqual([]);
    expect((await client.launch()).code).toBe('campaign_not_draft');
    const audit = await app.query(`select from audit_log where client_id = $1 and action = 'campaign_launched'`, [
      client.id,
    ]);
    expect(audit).toHaveLength(1);
  });

  it('needs no templates of reminders that the campaign does not have, which adding them then does', async () => {
    const { app, whatsapp, quita } = deployment;
    whatsapp.templates.all.length = 0;
    const client = await fitClient();
    await connected(client, 'whatsapp');
    await quita(['channels', 'templates', 'push', client.id]);
    const ofReminders = whatsapp.templates.all.filter(({ name }) => REMINDER_TEMPLATES.includes(name));
    for (const template of whatsapp.templates.all) template.status = 'APPROVED';
    for (const template of ofReminders) template.status = 'PENDING';
    expect(await client.launch()).toMatchObject({ status: 'RUNNING', sandbox: false });
    const remind = (daysBefore: number[]) =>
      client.call('PATCH', `/api/campaigns/${client.campaignId}`, { reminders: { daysBefore } });
    const refused = await remind([3, 0]);
    expect([refused.status, refused.body.code]).toEqual([409, 'channel_not_ready']);
    expect(refused.body.missing.map(({ template }: { template: string }) => template).sort()).toEqual(
      [...REMINDER_TEMPLATES].sort(),
    );
    expect((await remind([])).status).toBe(200);
    // What else is wrong with a channel does not keep the settings from being saved.
    await app.query(`update channel_senders set state = 'failing' where client_id = $1`, [client.id]);
    for (const template of ofReminders) template.status = 'APPROVED';
    expect((await remind([3, 0])).status).toBe(200);
  });

  it('needs each channel that its campaign names, and one channel when it names none', async () => {
    const { app, whatsapp, quita } = deployment;
    whatsapp.templates.all.length = 0;
    const client = await fitClient();
    await connected(client, 'whatsapp', 'twilio');
    await client.choose('whatsapp', 'twilio', 'email');
    const { missing } = await client.launch();
    expect(missing[0]).toEqual({ channel: 'email', template: null, reason: 'not_connected' });
    expect(new Set(missing.map(({ channel }: { channel: string }) => channel))).toEqual(new Set(['email', 'whatsapp']));

    await app.query(
      `update channel_senders set state = 'failing', reason = 'unauthorized 20003' where channel = 'twilio' and client_id = $1`,
      [client.id],
    );
    await client.choose('twilio');
    expect((await client.launch()).missing).toEqual([
      { channel: 'twilio', template: null, reason: 'failing unauthorized 20003' },
    ]);
    await app.query('update campaigns set channels = null where id = $1', [client.campaignId]);
    expect((await client.launch()).code).toBe('channel_not_ready');
    // Without approved templates every message would be tried over WhatsApp in vain.
    await app.query(`update channel_senders set state = 'ready', reason = null where client_id = $1`, [client.id]);
    expect((await client.launch()).missing[0]).toMatchObject({ channel: 'whatsapp', reason: 'missing' });
    await quita(['channels', 'templates', 'push', client.id]);
    for (const template of whatsapp.templates.all) template.status = 'APPROVED';
    await app.query(`update channel_senders set state = 'failing' where channel = 'twilio' and client_id = $1`, [
      client.id,
    ]);
    expect(await client.launch()).toMatchObject({ status: 'RUNNING' });
  });

  it('over short texts tells by how many characters name and address are too long', async () => {
    const { app } = deployment;
    const client = await fitClient();
    await connected(client, 'twilio');
    const long = { ...COMPANY_ADDRESS, street: `Avenida ${'Presidente Castelo Branco '.repeat(8)}` };
    // A change of the address ends the check of the company.
    const moveTo = async (address: object) => {
      await app.query('update clients set address = $2 where id = $1', [client.id, JSON.stringify(address)]);
      await app.query('update clients set verified_at = quita_now(), verified_address = address where id = $1', [
        client.id,
      ]);
    };
    await moveTo(long);
    const { missing } = await client.launch();
    expect(missing).toEqual([
      { channel: 'twilio', template: null, reason: expect.stringMatching(/^too_long [1-9]\d*$/) },
    ]);
    const excess = Number(missing[0].reason.split(' ')[1]);
    await moveTo({ ...long, street: long.street.slice(0, -excess - 1) });
    expect(await client.launch()).toMatchObject({ status: 'RUNNING' });
  });
});

describe('a rehearsal', () => {
  const rehearse = async (client: TestClient, campaignId: string) =>
    (await client.call('POST', `/api/campaigns/${campaignId}/rehearse`)).body;

  it('warns of what a real launch would be refused for, and shows the messages of each channel', async () => {
    const { app } = deployment;
    const stranger = await app.newClient();
    const { campaignId } = await newDebt(app, { debtorEmail: 'maria@exemplo.com.br' }, stranger);
    const early = await rehearse(stranger, campaignId);
    const codes = ['creditor_incomplete', 'client_not_verified', 'email_not_confirmed'];
    expect(early.warnings).toEqual(codes.map((code) => ({ code, debts: 1 })));
    const shown = early.examples.map(({ channel }: { channel: string }) => channel);
    expect(shown).toEqual(['whatsapp', 'twilio', 'zenvia', 'email']);
    const texts: string[] = early.examples.map(({ text }: { text: string }) => text);
    expect(texts[0]).toContain(`https://quita.example${pagePath('00000000-0000-4000-8000-000000000000')}`);
    expect(texts[1]).toMatch(/\/p\/d[A-Za-z0-9_-]{22}/);
    expect(texts[1]?.length).toBeLessThan(texts[0]?.length ?? 0);
  });

  it('reports templates that are not approved, and estimates the cost of the channel that is tried first', async () => {
    deployment.whatsapp.templates.all.length = 0;
    const client = await fitClient();
    await connected(client, 'whatsapp', 'twilio');
    const { warnings, cost, people } = await rehearse(client, client.campaignId);
    expect(warnings).toEqual(['templates_missing', 'channel_not_ready'].map((code) => ({ code, debts: 1 })));
    const [{ contacts: messages }] = people.contacts;
    expect(messages).toBeGreaterThan(2);
    expect(cost).toEqual([
      expect.objectContaining({ channel: 'whatsapp', messages, unit: 0.0374, total: Math.ceil(messages * 3.74) / 100 }),
      { channel: 'twilio', messages: 0, unit: null, total: null },
    ]);
  });

  it('names debts that no channel reaches', async () => {
    const { app } = deployment;
    const client = await fitClient();
    await connected(client, 'twilio', 'email');
    await client.choose('email');
    expect((await rehearse(client, client.campaignId)).warnings).toContainEqual({ code: 'no_address', debts: 1 });
    await client.choose('email', 'twilio');
    await app.query(`update debts set debtor_email = 'maria@exemplo.com.br' where campaign_id = $1`, [
      client.campaignId,
    ]);
    const { cost, warnings } = await rehearse(client, client.campaignId);
    expect(warnings).toEqual([]);
    expect(cost.map(({ channel, messages }: { channel: string; messages: number }) => [channel, messages > 0])).toEqual(
      [
        ['email', true],
        ['twilio', false],
      ],
    );
  });
});

describe('the hourly check', () => {
  it('notices a lost permission, tells the client once by mail, and notices the recovery', async () => {
    const { app, twilio, smtp } = deployment;
    await app.query(`update channel_senders set checked_at = now(), state = 'ready'`);
    const client = await fitClient();
    await connected(client, 'twilio');
    const asked = twilio.requests.length;
    await check();
    expect(twilio.requests).toHaveLength(asked);

    const [account] = await app.query<{ email: string }>('select email from clients where id = $1', [client.id]);
    const told = () => smtp.taken.filter(({ to, text }) => to === account?.email && text.includes('Twilio'));
    await app.query(`update channel_senders set checked_at = now() - interval '7 hours' where client_id = $1`, [
      client.id,
    ]);
    twilio.next('wrong_token');
    expect(await check()).toBe(1);
    expect((await client.channels())[1]).toMatchObject({ state: 'failing', reason: 'unauthorized 20003' });
    const [mail] = await until('the mail', async () => (told().length > 0 ? told() : null), { timeoutMs: 30_000 });
    expect(mail?.text).toContain(`O remetente ${twilio.credentials.senderId} parou de enviar mensagens`);
    expect(mail?.text).toContain('O que fazer');
    expect(mail?.text).not.toContain(twilio.credentials.accessToken);

    twilio.next('wrong_token');
    await check();
    await check();
    expect((await client.channels())[1]).toEqual({
      channel: 'twilio',
      state: 'ready',
      reason: null,
      sender: twilio.credentials.senderId,
    });
    // The same trouble on the same day: the mail of the day has been sent.
    await app.query(`update channel_senders set checked_at = null where client_id = $1`, [client.id]);
    twilio.next('wrong_token');
    await check();
    expect((await client.channels())[1].state).toBe('failing');
    await until(
      'the outbox is empty',
      async () => ((await app.query('select from outbox where delivered_at is null')).length === 0 ? true : null),
      { timeoutMs: 30_000 },
    );
    // Temporal starts one workflow for each id, so the second request sends nothing.
    const requests = await app.query<{ workflow_id: string }>(
      `select workflow_id from outbox where payload ->> 'kind' = 'sender_failing' and payload ->> 'clientId' = $1`,
      [client.id],
    );
    expect(requests).toHaveLength(2);
    expect(new Set(requests.map((request) => request.workflow_id)).size).toBe(1);
    expect(told()).toHaveLength(1);
  });

  it('stores limits, quality and templates of WhatsApp, and pauses a number that it has blocked', async () => {
    const { app, whatsapp } = deployment;
    await app.query(`update channel_senders set checked_at = now(), state = 'ready'`);
    const client = await fitClient();
    await connected(client, 'whatsapp');
    const due = () => app.query(`update channel_senders set checked_at = null where client_id = $1`, [client.id]);
    const row = async () =>
      (
        await app.query(
          `select state, reason, quality, people_per_day, checked_at is not null as checked from channel_senders where client_id = $1`,
          [client.id],
        )
      )[0];
    await due();
    whatsapp.number = {
      ...whatsapp.number,
      quality_rating: 'RED',
      whatsapp_business_manager_messaging_limit: 'TIER_250',
    };
    whatsapp.templates.all.length = 0;
    whatsapp.templates.add('quita_receipt_v2', 'Texto {{1}}.');
    await check();
    expect(await row()).toEqual({ state: 'ready', reason: null, quality: 'low', people_per_day: 250, checked: true });
    const states = await app.query(
      `select state, count(*)::int as count from channel_templates where client_id = $1 group by state order by state`,
      [client.id],
    );
    expect(states).toEqual([
      { state: 'approved', count: 1 },
      { state: 'missing', count: expect.any(Number) },
    ]);

    await due();
    whatsapp.number = { ...whatsapp.number, status: 'RESTRICTED' };
    await check();
    expect(await row()).toMatchObject({ state: 'paused', reason: 'quality blocked' });
    whatsapp.number = { ...whatsapp.number, status: 'CONNECTED', quality_rating: 'GREEN' };
    await check();
    // Valid credentials do not end a pause early.
    expect(await row()).toMatchObject({ state: 'paused' });
    await app.query(`update channel_senders set paused_until = now() - interval '1 minute' where client_id = $1`, [
      client.id,
    ]);
    await check();
    expect(await row()).toMatchObject({ state: 'ready', reason: null, quality: 'good' });
  });

  it('tells the client once of templates that became marketing, refuses a launch with them, and takes them back', async () => {
    const { app, whatsapp, quita } = deployment;
    await app.query(`update channel_senders set checked_at = now(), state = 'ready'`);
    const client = await fitClient();
    await connected(client, 'whatsapp');
    whatsapp.templates.all.length = 0;
    whatsapp.templates.firstStatus = 'APPROVED';
    await quita(['channels', 'templates', 'push', client.id]);
    const due = () => app.query(`update channel_senders set checked_at = null where client_id = $1`, [client.id]);
    const [account] = await app.query<{ email: string }>('select email from clients where id = $1', [client.id]);
    const told = () =>
      deployment.smtp.taken.filter(({ to, text }) => to === account?.email && text.includes('marketing'));
    whatsapp.templates.find('quita_receipt_v2').category = 'MARKETING';
    for (let time = 0; time < 2; time += 1) {
      await due();
      await check();
    }
    const launched = await client.launch();
    expect(launched).toMatchObject({ status: 409, code: 'channel_not_ready' });
    expect(launched.missing).toEqual([
      { channel: 'whatsapp', template: 'quita_receipt_v2', reason: 'marketing category MARKETING' },
    ]);
    const [mail] = await until('the mail', async () => (told().length > 0 ? told() : null), { timeoutMs: 30_000 });
    expect(mail?.text).toContain('quita_receipt_v2');
    expect(told()).toHaveLength(1);
    const states = async () => {
      const { items } = (await client.call('GET', '/api/channels/templates')).body;
      return new Set(items.map(({ state }: { state: string }) => state));
    };
    expect(await states()).toEqual(new Set(['approved', 'marketing']));

    whatsapp.templates.find('quita_receipt_v2').category = 'UTILITY';
    await due();
    await check();
    expect(await states()).toEqual(new Set(['approved']));
    expect(await client.launch()).toMatchObject({ status: 'RUNNING' });
    whatsapp.templates.firstStatus = 'PENDING';
  });

  it('changes nothing when a channel does not answer', async () => {
    const { app, twilio } = deployment;
    await app.query(`update channel_senders set checked_at = now(), state = 'ready'`);
    const client = await fitClient();
    await connected(client, 'twilio');
    await app.query(`update channel_senders set checked_at = null where client_id = $1`, [client.id]);
    twilio.next('refused_connection');
    expect(await check()).toBe(1);
    expect((await client.channels())[1]).toMatchObject({ state: 'ready', reason: null });
  });
});
