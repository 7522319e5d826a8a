import { beforeEach, describe, expect, it } from '@jest/globals';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { FakeWhatsApp } from '../../testing/channels/fake-whatsapp.ts';
import {
  type Change,
  categoryChange,
  signed,
  templateChange,
  webhookBodyAt,
} from '../../testing/channels/whatsapp/payloads.ts';
import { opened } from '../../testing/opened.ts';
import { startInboundApp, urlOf } from './inbound-app.ts';

const URL = urlOf('whatsapp');
const FIRST = 'quita_first_neutral_v3';
const LAST = 'quita_last_neutral_v3';
const seconds = () => Math.floor(Date.now() / 1_000);
const newId = () => String(Math.floor(1e14 + Math.random() * 9e14));

const app = await opened(startInboundApp());
let client: TestClient;
let meta: FakeWhatsApp;

async function connectedClient(): Promise<{ client: TestClient; meta: FakeWhatsApp }> {
  const one = { client: await app.newClient(), meta: new FakeWhatsApp({ phoneNumberId: newId(), accountId: newId() }) };
  await app.connect(one.client.id, 'whatsapp', one.meta.credentials);
  for (const name of [FIRST, LAST]) {
    await app.query(
      `insert into channel_templates (client_id, channel, account_id, name, state) values ($1, 'whatsapp', $2, $3, 'approved')`,
      [one.client.id, one.meta.sender.accountId, name],
    );
  }
  return one;
}
beforeEach(async () => {
  ({ client, meta } = await connectedClient());
});

const deliver = (change: Change, { at = seconds(), secret = meta.secret, account = meta.sender.accountId } = {}) =>
  app.deliver(signed(URL, webhookBodyAt(at, account, change), secret));
const toMarketing = (name = FIRST) => categoryChange({ name, from: 'UTILITY', to: 'MARKETING' });
const toUtility = (name = FIRST) => categoryChange({ name, from: 'MARKETING', to: 'UTILITY' });
const shown = async (name = FIRST, of = client) => {
  const { items } = (await of.call('GET', '/api/channels/templates')).body;
  return items.find((one: { name: string }) => one.name === name);
};
const mails = (of = client) =>
  app.query(`select from outbox where payload ->> 'kind' = 'template_marketing' and payload ->> 'clientId' = $1`, [
    of.id,
  ]);

describe('a template that Meta moves', () => {
  it('to marketing is shown so with one mail, and is as before when it comes back', async () => {
    expect(await shown()).toMatchObject({ state: 'approved', marketingFrom: null });
    expect(await deliver(toMarketing())).toBe(200);
    expect(await deliver(toMarketing())).toBe(200);
    expect(await shown()).toMatchObject({ state: 'marketing', marketingFrom: expect.any(String) });
    expect(await shown(LAST)).toMatchObject({ state: 'approved', marketingFrom: null });
    expect(await mails()).toHaveLength(1);
    // The next check tells of what is moved shortly after.
    expect(await deliver(toMarketing(LAST))).toBe(200);
    expect(await mails()).toHaveLength(1);
    expect(await deliver(toUtility())).toBe(200);
    expect(await shown()).toMatchObject({ state: 'approved', marketingFrom: null });
  });

  it('later is announced with its day, and sent until then', async () => {
    const later = seconds() + 86_400;
    expect(await deliver(categoryChange({ name: FIRST, from: 'UTILITY', to: 'MARKETING', later }))).toBe(200);
    const announced = { state: 'approved', marketingFrom: new Date(later * 1_000).toISOString() };
    expect(await shown()).toMatchObject(announced);
    expect(await mails()).toHaveLength(1);
    // What happens to its state meanwhile takes nothing back.
    expect(await deliver(templateChange({ name: FIRST, event: 'APPROVED' }))).toBe(200);
    expect(await shown()).toMatchObject(announced);
    await app.query(`update channel_templates set marketing_from = now() - interval '1 minute' where name = $1`, [
      FIRST,
    ]);
    expect(await shown()).toMatchObject({ state: 'marketing' });
  });

  it('is known by its state too, when Meta approves it as marketing', async () => {
    expect(await deliver(templateChange({ name: FIRST, event: 'APPROVED', category: 'MARKETING' }))).toBe(200);
    expect(await shown()).toMatchObject({ state: 'marketing' });
    expect(await deliver(templateChange({ name: FIRST, event: 'PAUSED', category: 'MARKETING' }))).toBe(200);
    expect(await shown()).toMatchObject({ state: 'paused' });
  });

  it('keeps the newer of two news, whatever comes last', async () => {
    const now = seconds();
    expect(await deliver(toUtility(), { at: now })).toBe(200);
    expect(await deliver(toMarketing(), { at: now - 60 })).toBe(200);
    expect(await shown()).toMatchObject({ state: 'approved', marketingFrom: null });
    expect(await mails()).toHaveLength(0);
    expect(await deliver(toMarketing(), { at: now + 1 })).toBe(200);
    expect(await deliver(toUtility(), { at: now })).toBe(200);
    expect(await shown()).toMatchObject({ state: 'marketing' });
  });

  it.each([[4_000_000_000], ['yesterday' as never], [-1], [null as never]])(
    'at the time %j, which cannot be right, does not outlive what comes next',
    async (at) => {
      expect(await deliver(toMarketing(), { at })).toBe(200);
      expect(await shown()).toMatchObject({ state: 'marketing' });
      await app.query(`update channel_templates set category_told_at = category_told_at - interval '1 minute'`);
      expect(await deliver(toUtility())).toBe(200);
      expect(await shown()).toMatchObject({ state: 'approved' });
    },
  );

  it('to a category that nobody knows stays as it is', async () => {
    expect(await deliver(categoryChange({ name: FIRST, from: 'UTILITY', to: 'GARDENING' }))).toBe(200);
    expect(await shown()).toMatchObject({ state: 'approved', marketingFrom: null });
    expect(await deliver(toMarketing('a_template_of_another_product_v1'))).toBe(200);
    expect(await mails()).toHaveLength(0);
  });
});

describe('news of a category', () => {
  it('with a wrong signature change nothing', async () => {
    expect(await deliver(toMarketing(), { secret: 'another' })).toBe(401);
    expect(await deliver(toMarketing(), { secret: '' })).toBe(401);
    expect(await shown()).toMatchObject({ state: 'approved' });
  });

  it('that one client signs for the account of another change neither', async () => {
    const other = await connectedClient();
    expect(await deliver(toMarketing(), { account: other.meta.sender.accountId })).toBe(401);
    // A body that names both is signed by one of them, and is believed about that one alone.
    const both = {
      object: 'whatsapp_business_account',
      entry: [meta, other.meta].map(({ sender }) => ({
        id: sender.accountId,
        time: seconds(),
        changes: [toMarketing()],
      })),
    };
    expect(await app.deliver(signed(URL, both, meta.secret))).toBe(200);
    expect(await shown(FIRST, client)).toMatchObject({ state: 'marketing' });
    expect(await shown(FIRST, other.client)).toMatchObject({ state: 'approved', marketingFrom: null });
    expect(await mails(other.client)).toHaveLength(0);
  });

  it('come in batches of a thousand, with one mail', async () => {
    const changes = Array.from({ length: 1_000 }, (_, index) => toMarketing(index % 2 === 0 ? FIRST : LAST));
    const body = webhookBodyAt(seconds(), meta.sender.accountId, ...changes);
    expect(await app.deliver(signed(URL, body, meta.secret))).toBe(200);
    for (const name of [FIRST, LAST]) expect(await shown(name)).toMatchObject({ state: 'marketing' });
    expect(await mails()).toHaveLength(1);
  });
});
