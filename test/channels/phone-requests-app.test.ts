import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { USAGE_OF_DEPLOYMENT } from '../../src/modules/messaging/queries/watched-numbers.ts';
import { CARD_TEXT } from '../../src/modules/messaging/texts/timeline-texts.ts';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { startFakeWhatsApp } from '../../testing/channels/fake-whatsapp.ts';
import {
  type Change,
  messagesChange,
  signed,
  userIdOf,
  webhookBody,
} from '../../testing/channels/whatsapp/payloads.ts';
import { cardOf } from '../../testing/channels/whatsapp/phone-requests.ts';
import { debtInput } from '../../testing/debts.ts';
import { opened } from '../../testing/opened.ts';
import { until } from '../../testing/poll.ts';
import { type Debtor, pathOf, receivedOf, startInboundApp, unmatchedOf } from './inbound-app.ts';

const options = { webhookUrl: '' };
const meta = await opened(startFakeWhatsApp(options));
const app = await opened(
  startInboundApp({
    roles: ['api', 'worker', 'relay'],
    env: { MESSAGING_CHANNEL: 'whatsapp', WHATSAPP_BASE_URL: meta.baseUrl },
  }),
);
options.webhookUrl = `${app.url}${pathOf('whatsapp')}`;

const text = (body: string) => ({ type: 'text', text: { body } });
const newPhone = () => `+55119${Math.floor(1e7 + Math.random() * 9e7)}`;
const post = (...changes: readonly Change[]) => meta.post(...changes);
const byId = (userId: string, content: object, id = `wamid.${randomUUID()}`) =>
  messagesChange(meta.sender, { id, from: null, userId, content: content as Record<string, unknown> });

let client: TestClient;
let debtor: Debtor;
let hidden: string;

/** The fake has one number. It is that of the newest client alone. */
async function newCompany(): Promise<TestClient> {
  await app.query('delete from channel_senders');
  await app.query('delete from client_credentials');
  const company = await app.newClient();
  await app.connect(company.id, 'whatsapp', meta.credentials);
  return company;
}

async function newDebtor(phone = newPhone()): Promise<Debtor> {
  const made = await app.newDebtor(client, { debtorPhone: phone });
  await app.query(`update debts set status = 'EXHAUSTED' where id = $1`, [made.id]);
  return made;
}

beforeEach(async () => {
  meta.readMarks.length = 0;
  client = await newCompany();
  debtor = await newDebtor();
  hidden = userIdOf(debtor.phone);
});

const to = (name: string) => meta.taken.filter((one) => one.to === name);
interface StoredRequest {
  readonly id: string;
  readonly delivery: string;
  readonly failure: string | null;
  readonly sealed: string;
  readonly person_key: string;
}
const requests = (of = client) =>
  app.query<StoredRequest>('select * from phone_requests where client_id = $1 order by created_at', [of.id]);
const delivered = (of = client) =>
  until('the request is delivered', async () => (await requests(of)).every(({ delivery }) => delivery === 'delivered'));
const asked = async (name: string) => {
  await until('the person is asked', () => to(name).length > 0);
  await delivered();
};
const statusOf = async ({ id }: Debtor) =>
  (await app.query<{ status: string }>('select status from debts where id = $1', [id]))[0]?.status;
const addresses = (of = client) =>
  app.query<{ channel_user_id: string | null; wrote_at: Date | null; reached_at: Date | null }>(
    'select channel_user_id, wrote_at, reached_at from recipients where client_id = $1',
    [of.id],
  );
const usage = async (of = client) => {
  const { body } = await of.call('GET', '/api/channels');
  return body.items.find((item: { channel: string }) => item.channel === 'whatsapp').usage;
};

describe('somebody whom WhatsApp names by an id alone', () => {
  it('is asked once, whatever comes at once and again', async () => {
    const same = byId(hidden, text('oi'));
    const answers = await Promise.all([
      meta.writeHidden(debtor.phone, text('oi')),
      post(same, byId(hidden, text('tem alguém aí?'))),
      post(byId(hidden, text('alô')), same),
      post(same),
    ]);
    expect(answers).toEqual([200, 200, 200, 200]);
    await asked(hidden);
    expect(await post(same, byId(hidden, text('oi?')))).toBe(200);
    expect(await unmatchedOf(app, client.id)).toHaveLength(5);
    const [request, ...others] = await requests();
    expect(others).toEqual([]);
    expect(to(hidden).map(({ body }) => body)).toEqual([
      {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        recipient: hidden,
        biz_opaque_callback_data: request!.id,
        type: 'interactive',
        interactive: {
          type: 'request_contact_info',
          body: { text: expect.stringContaining('Escola Aurora') },
          action: { name: 'request_contact_info' },
        },
      },
    ]);
    expect(to(hidden)[0]!.text).not.toMatch(/d[íi]vida|fatura|cobran|pag/i);
    // Neither the row nor the log says who was asked.
    expect(JSON.stringify(request)).not.toContain(hidden);
    expect(app.logText()).not.toContain(hidden);
  });

  it('finds the own debt by the card, and the answer goes to the phone', async () => {
    await meta.writeHidden(debtor.phone, text('oi'));
    await asked(hidden);
    expect(await meta.shareCard(debtor.phone)).toBe(200);
    await until('the answer is delivered', async () => (await addresses()).some(({ reached_at: at }) => at !== null));
    expect(await receivedOf(app, client.id)).toMatchObject([
      { debt_id: debtor.id, text: CARD_TEXT, phone: debtor.phone },
      { debt_id: debtor.id, text: 'oi', phone: debtor.phone },
    ]);
    // Who sends a card must not see by a read mark that its phone is known.
    expect(meta.readMarks).toEqual([]);
    // What was written before is heard too, and the same answer is not given twice.
    await until('all is handled', async () => {
      const waiting = 'select from messages where client_id = $1 and direction = $2 and handled_at is null';
      return (await app.query(waiting, [client.id, 'in'])).length === 0;
    });
    expect(to(hidden)).toHaveLength(1);
    const [answer, ...more] = to(debtor.phone);
    expect(more).toEqual([]);
    expect(answer!.body).toMatchObject({ to: debtor.phone, type: 'text' });
    // The card itself has taught nothing; the delivery of the answer has.
    expect(await addresses()).toMatchObject([{ channel_user_id: hidden, wrote_at: null }]);

    // What has gone out is on the bill of the month, and counted.
    const bill = [...to(hidden), ...to(debtor.phone)].filter((one) => meta.bill.has(one.channelMessageId));
    expect(bill).toHaveLength(2);
    const { messages } = await usage();
    expect(messages.find(({ kind }: { kind: string }) => kind === 'service')).toMatchObject({ free: 2, paid: 0 });
    const month = [...meta.bill.values()].filter(({ category }) => category === 'service').length;
    await app.query(
      `insert into channel_senders (client_id, channel, sender_id, shown_as, replaced_at)
       select distinct client_id, 'whatsapp', sender_id, sender_id, now() from counted_messages on conflict do nothing`,
    );
    expect(await app.worker.runUnscoped(USAGE_OF_DEPLOYMENT, { freeEachMonth: 1_000 })).toEqual([
      { kind: 'service', free: month, paid: 0 },
    ]);
  });

  it('is obeyed who then asks for silence: by the id, by the phone, and before anything is known of the id', async () => {
    const [byPhone, early] = [await newDebtor(), await newDebtor()];
    const people = [debtor, byPhone, early];
    for (const { phone } of people) await meta.writeHidden(phone, text('oi'));
    for (const { phone } of people) await asked(userIdOf(phone));
    for (const { phone } of people) await meta.shareCard(phone);
    expect(await post(byId(userIdOf(early.phone), text('PARAR')))).toBe(200);
    await until('the ids are known', async () => {
      const known = (await addresses()).map((row) => row.channel_user_id);
      return known.includes(hidden) && known.includes(userIdOf(byPhone.phone));
    });
    expect(await post(byId(hidden, text('PARAR')))).toBe(200);
    // WhatsApp tells the phone by now.
    expect(await meta.writeHidden(byPhone.phone, text('PARAR'))).toBe(200);
    await until('the wishes are obeyed', async () =>
      (await Promise.all(people.map(statusOf))).every((status) => status === 'OPTED_OUT'),
    );
    for (const { phone } of people) expect(to(userIdOf(phone))).toHaveLength(1);
    const heard = (await receivedOf(app, client.id)).filter((row) => row.debt_id === early.id);
    expect(heard.map((row) => row.text).sort()).toEqual([CARD_TEXT, 'PARAR', 'oi'].sort());
    expect(to(early.phone).at(-1)!.body).toHaveProperty('to', early.phone);
  });

  it('is known without a question once the phone or the id is known', async () => {
    expect(await meta.write(debtor.phone, text('oi'))).toBe(200);
    expect(await post(byId(hidden, text('sou eu')))).toBe(200);
    expect(await requests()).toEqual([]);
    expect(await unmatchedOf(app, client.id)).toEqual([]);
  });
});

describe('a card', () => {
  let stranger: string;
  let strangerPhone: string;
  const kept = async () => (await unmatchedOf(app, client.id)).length;

  beforeEach(async () => {
    strangerPhone = newPhone();
    stranger = userIdOf(strangerPhone);
    await meta.writeHidden(strangerPhone, text('oi'));
    await asked(stranger);
  });

  it('with the phone of a debtor tells its sender nothing, and makes the sender nobody', async () => {
    expect(await meta.shareCard(strangerPhone, debtor.phone)).toBe(200);
    await until(
      'the answer has failed',
      async () =>
        (await app.query(`select from messages where debt_id = $1 and delivery = 'failed'`, [debtor.id])).length === 1,
    );
    expect(to(stranger)).toHaveLength(1);
    expect(meta.readMarks).toEqual([]);
    expect((await addresses()).filter((row) => row.channel_user_id !== null)).toEqual([]);
    expect(await addresses()).toMatchObject([{ wrote_at: null }]);
    // Whatever follows is that of a stranger, and another card leads nowhere.
    const other = await newDebtor();
    expect(await post(byId(stranger, text('quanto eu devo?')))).toBe(200);
    expect(await meta.shareCard(strangerPhone, other.phone)).toBe(200);
    expect(await receivedOf(app, client.id)).toHaveLength(1);
    expect(await kept()).toBe(3);
    expect(to(stranger)).toHaveLength(1);
    expect(to(other.phone)).toEqual([]);
  });

  it('leads to nobody who has asked for silence', async () => {
    await meta.write(debtor.phone, text('PARAR'));
    await until('the wish is obeyed', async () => (await statusOf(debtor)) === 'OPTED_OUT');
    await until('the confirmation is sent', () => to(debtor.phone).length === 1);
    // The id of the holder is forgotten, so that the wish alone counts.
    await app.query('update recipients set channel_user_id = null where client_id = $1', [client.id]);
    expect(await meta.shareCard(strangerPhone, debtor.phone)).toBe(200);
    expect(await kept()).toBe(2);
    expect(to(debtor.phone)).toHaveLength(1);
  });

  it('leads to no phone that is known to be of another person', async () => {
    await meta.write(debtor.phone, text('oi'));
    expect(await meta.shareCard(strangerPhone, debtor.phone)).toBe(200);
    expect(await kept()).toBe(2);
    expect(await receivedOf(app, client.id)).toHaveLength(1);
  });

  const phone = () => debtor.phone;
  it.each<[string, () => object]>([
    ['that was sent by hand', () => cardOf(phone(), 'other')],
    ['without an origin', () => ({ type: 'contacts', contacts: [{ phones: [{ phone: phone() }] }] })],
    ['with the phone of nobody', () => cardOf(newPhone())],
    ['with a malformed phone', () => cardOf('+55 11 12')],
    ['of another country', () => cardOf('+351912345678')],
    ['without a phone', () => ({ type: 'contacts', contacts: [{ origin: 'contact_request', phones: [] }] })],
    [
      'of two people',
      () => ({ type: 'contacts', contacts: [...cardOf(phone()).contacts, ...cardOf(newPhone()).contacts] }),
    ],
    [
      'with two phones',
      () => ({
        type: 'contacts',
        contacts: [{ origin: 'contact_request', phones: [{ phone: phone() }, { phone: newPhone() }] }],
      }),
    ],
    [
      'with two different numbers for one phone',
      () => ({
        type: 'contacts',
        contacts: [{ origin: 'contact_request', phones: [{ phone: phone(), wa_id: '5511912345678' }] }],
      }),
    ],
  ])('%s is kept as that of a stranger', async (_, card) => {
    expect(await post(byId(stranger, card()))).toBe(200);
    expect(await kept()).toBe(2);
    expect(await receivedOf(app, client.id)).toEqual([]);
    expect(await requests()).toHaveLength(1);
    expect(to(stranger)).toHaveLength(1);
  });

  it('of somebody who was not asked is kept, and asks nobody', async () => {
    const unasked = userIdOf(newPhone());
    expect(await post(byId(unasked, cardOf(debtor.phone)), byId(unasked, cardOf(debtor.phone, 'other')))).toBe(200);
    expect(await kept()).toBe(3);
    expect(await requests()).toHaveLength(1);
    expect(await receivedOf(app, client.id)).toEqual([]);
  });

  it('counts once, in whatever requests it comes', async () => {
    const other = await newDebtor();
    const first = byId(stranger, cardOf(debtor.phone), 'wamid.first');
    const second = byId(stranger, cardOf(other.phone), 'wamid.second');
    expect(await post(first, second)).toBe(200);
    expect(await Promise.all([post(first), post(second), post(second, first)])).toEqual([200, 200, 200]);
    expect(await receivedOf(app, client.id)).toMatchObject([{ debt_id: debtor.id }]);
    expect(await kept()).toBe(2);
  });

  it('with a forged signature, or of the sender of another company, changes nothing', async () => {
    const card = byId(stranger, cardOf(debtor.phone));
    const body = webhookBody(meta.sender.accountId, card);
    expect(await app.deliver(signed(`${app.url}${pathOf('whatsapp')}`, body, 'not the secret'))).toBe(401);
    const other = await app.newClient();
    const sender = { ...meta.sender, phoneNumberId: '999000111222333', accountId: '999000111222334' };
    await app.connect(other.id, 'whatsapp', {
      senderId: sender.phoneNumberId,
      accountId: sender.accountId,
      accessToken: 't',
      webhookSecret: 'of-the-other',
    });
    const foreign = signed(`${app.url}${pathOf('whatsapp')}`, webhookBody(sender.accountId, card), 'of-the-other');
    expect(await app.deliver(foreign)).not.toBe(500);
    const id = `wamid.${randomUUID()}`;
    const ownSender = messagesChange(sender, { id, from: null, userId: stranger, content: cardOf(debtor.phone) });
    const own = signed(`${app.url}${pathOf('whatsapp')}`, webhookBody(sender.accountId, ownSender), 'of-the-other');
    expect(await app.deliver(own)).toBe(200);
    expect(await receivedOf(app, client.id)).toEqual([]);
    expect(await receivedOf(app, other.id)).toEqual([]);
    expect(await kept()).toBe(1);
  });
});

describe('nobody is asked', () => {
  const old = () => Math.floor(Date.now() / 1_000) - 24 * 3_600;
  const hiddenAt = (at: number) =>
    messagesChange(meta.sender, { id: randomUUID(), from: null, userId: hidden, content: text('oi'), at });
  const change = (statement: string) => app.query(statement, [client.id]);

  it.each<[string, () => Promise<unknown>]>([
    ['by a company that is paused', () => change(`update clients set status = 'PAUSED' where id = $1`)],
    ['by a company that has ended', () => change(`update clients set status = 'CANCELLED' where id = $1`)],
    [
      'by a company with debts of the sandbox alone',
      () => change('update debts set sandbox = true where client_id = $1'),
    ],
    ['by a number that is paused', () => change(`update channel_senders set state = 'paused' where client_id = $1`)],
    [
      'by a number that was replaced',
      () => change('update channel_senders set replaced_at = now() where client_id = $1'),
    ],
  ])('%s', async (_, given) => {
    await given();
    expect(await meta.writeHidden(debtor.phone, text('oi'))).toBe(200);
    expect(await unmatchedOf(app, client.id)).toHaveLength(1);
    expect(await requests()).toEqual([]);
  });

  it.each<[string, () => Change]>([
    ['who wrote so long ago that WhatsApp takes no question any more', () => hiddenAt(old())],
    [
      'whose phone is known',
      () =>
        messagesChange(meta.sender, { id: randomUUID(), from: '5511912340000', userId: hidden, content: text('oi') }),
    ],
    [
      'who asks WhatsApp for silence',
      () => ({
        field: 'user_preferences',
        value: {
          metadata: { phone_number_id: meta.sender.phoneNumberId },
          user_preferences: [{ user_id: hidden, value: 'stop' }],
        },
      }),
    ],
  ])('%s', async (_, given) => {
    expect(await post(given())).toBe(200);
    expect(await unmatchedOf(app, client.id)).toHaveLength(1);
    expect(await requests()).toEqual([]);
  });

  it('by two companies of one number, and the card goes to the one that has asked', async () => {
    const other = await app.newClient();
    await app.connect(other.id, 'whatsapp', meta.credentials);
    const campaignId = await other.createCampaign();
    await other.importJson(campaignId, [debtInput(90_001, { debtorPhone: debtor.phone })]);
    await meta.writeHidden(debtor.phone, text('oi'));
    await until('the person is asked', () => to(hidden).length > 0);
    const [asking, ...more] = await app.query<{ client_id: string }>(
      'select client_id from phone_requests where client_id = any ($1)',
      [[client.id, other.id]],
    );
    expect(more).toEqual([]);
    await meta.shareCard(debtor.phone);
    expect(await receivedOf(app, asking!.client_id)).toHaveLength(1);
    expect(to(hidden)).toHaveLength(1);
  });
});
