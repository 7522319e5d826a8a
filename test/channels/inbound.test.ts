import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { hashToken } from '../../src/modules/accounts/use-cases/opaque-token.ts';
import { PURGES } from '../../src/modules/privacy/queries/purges.ts';
import { purgeExpired } from '../../src/modules/privacy/use-cases/purge-expired.ts';
import type { TestClient } from '../../testing/campaigns-app.ts';
import { FakeTwilio } from '../../testing/channels/fake-twilio.ts';
import { FakeWhatsApp } from '../../testing/channels/fake-whatsapp.ts';
import { FakeZenvia } from '../../testing/channels/fake-zenvia.ts';
import {
  messagesChange,
  qualityChange,
  signed,
  statusChange,
  templateChange,
  userIdOf,
  waIdOf,
  webhookBody,
} from '../../testing/channels/whatsapp/payloads.ts';
import { opened } from '../../testing/opened.ts';
import {
  cipher,
  type Debtor,
  deliveryOf,
  receivedOf,
  recipientsOf,
  sentTo,
  startInboundApp,
  unmatchedOf,
  urlOf,
  VERIFY_TOKEN,
  wakesOf,
} from './inbound-app.ts';

const URL = urlOf('whatsapp');
let client: TestClient;
let meta: FakeWhatsApp;
let debtor: Debtor;

const newSender = () => String(Math.floor(1e14 + Math.random() * 9e14));
const text = (body: string) => ({ type: 'text', text: { body } });
const newMeta = () => new FakeWhatsApp({ phoneNumberId: newSender(), accountId: newSender() });
/** Posts what the debtor writes, and returns the status of the answer. */
const write = (
  from: string,
  content: Readonly<Record<string, unknown>>,
  given: { id?: string; inReplyTo?: string } = {},
) => {
  const { id = `wamid.${randomUUID()}`, ...rest } = given;
  return app.deliver(meta.request(URL, messagesChange(meta.sender, { id, from, content, ...rest })));
};
const report = (channelMessageId: string, status: string, given: { callback?: string; code?: number } = {}) =>
  app.deliver(
    meta.request(
      URL,
      statusChange(meta.sender, {
        id: channelMessageId,
        status,
        to: debtor.phone,
        callback: given.callback ?? null,
        ...(given.code === undefined ? {} : { code: given.code }),
      }),
    ),
  );

const app = await opened(startInboundApp());
beforeEach(async () => {
  client = await app.newClient();
  meta = newMeta();
  await app.connect(client.id, 'whatsapp', meta.credentials);
  debtor = await app.newDebtor(client);
});

describe('the subscription of WhatsApp', () => {
  const ask = (token: string) =>
    app.get<string>(`/api/messaging/whatsapp?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`);

  it('gets its challenge back as plain text', async () => {
    const answer = await ask(VERIFY_TOKEN);
    expect([answer.status, answer.body]).toEqual([200, '1158201444']);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it('is refused with another token', async () => {
    expect(await ask('another')).toMatchObject({ status: 401, body: { code: 'signature_invalid' } });
  });
});

describe('the signature of a channel', () => {
  it.each([
    [
      'is missing',
      () => ({ ...meta.messageRequest(URL, { id: 'wamid.1', from: debtor.phone, text: 'oi' }), headers: {} }),
    ],
    [
      'is wrong',
      () =>
        signed(
          URL,
          webhookBody(
            meta.sender.accountId,
            messagesChange(meta.sender, { id: 'wamid.1', from: debtor.phone, content: text('oi') }),
          ),
          'wrong',
        ),
    ],
    [
      'is over another body',
      () => ({
        ...meta.messageRequest(URL, { id: 'wamid.1', from: debtor.phone, text: 'oi' }),
        body: Buffer.from('{}'),
      }),
    ],
    [
      'names a sender that nobody has',
      () => newMeta().messageRequest(URL, { id: 'wamid.1', from: debtor.phone, text: 'oi' }),
    ],
  ])('that %s is refused, and nothing is stored', async (_what, request) => {
    expect(await app.deliver(request())).toBe(401);
    expect(await receivedOf(app, client.id)).toEqual([]);
    expect(await unmatchedOf(app, client.id)).toEqual([]);
  });

  it('of another client opens nobody else’s sender', async () => {
    const other = await app.newClient();
    const own = newMeta();
    await app.connect(other.id, 'whatsapp', own.credentials);
    const foreign = messagesChange(meta.sender, { id: 'wamid.1', from: debtor.phone, content: text('oi') });
    const mine = messagesChange(own.sender, { id: 'wamid.2', from: debtor.phone, content: text('oi') });
    const forged = signed(URL, webhookBody(meta.sender.accountId, foreign), own.secret);
    expect(await app.deliver(forged)).toBe(401);
    // Whoever names an own account beside a foreign sender reaches nobody either.
    expect(await app.deliver(own.request(URL, foreign))).toBe(200);
    // A request that names both is signed by the other client only.
    expect(await app.deliver(own.request(URL, mine, foreign))).toBe(200);
    expect(await receivedOf(app, client.id)).toEqual([]);
    expect(await unmatchedOf(app, client.id)).toEqual([]);
    expect((await unmatchedOf(app, other.id)).map((row) => row.channel_message_id)).toEqual(['wamid.2']);
  });

  it('is verified with the secret before, while the new one spreads', async () => {
    const before = meta;
    meta = new FakeWhatsApp({ phoneNumberId: before.sender.phoneNumberId, accountId: before.sender.accountId });
    await app.connect(client.id, 'whatsapp', meta.credentials);
    expect(await write(debtor.phone, text('oi'))).toBe(200);
    const request = before.messageRequest(URL, { id: 'wamid.before', from: debtor.phone, text: 'e eu' });
    expect(await app.deliver(request)).toBe(200);
    expect(await receivedOf(app, client.id)).toHaveLength(2);
  });
});

describe('a sender that sends no more', () => {
  const connectAnother = async () => {
    await app.connect(client.id, 'whatsapp', newMeta().credentials);
  };
  const disconnect = async () => {
    expect((await client.call('DELETE', '/api/channels/whatsapp')).status).toBe(204);
  };

  it.each([
    ['was replaced', connectAnother],
    ['was disconnected', disconnect],
  ])('because it %s still hears what people answer, months later', async (_, end) => {
    await end();
    await app.query(
      `update client_credentials set replaced_at = now() - interval '300 days'
       where client_id = $1 and replaced_at is not null`,
      [client.id],
    );
    await purgeExpired({ db: app.worker })();
    expect(await write(debtor.phone, text('PARAR'))).toBe(200);
    expect(await receivedOf(app, client.id)).toMatchObject([{ debt_id: debtor.id, text: 'PARAR' }]);
  });

  it('and that a stranger had connected hears nothing once the owner has reclaimed the address', async () => {
    const earlier = meta;
    await connectAnother();
    const link = randomUUID();
    await app.query(`update clients set email_confirmed_at = null where id = $1`, [client.id]);
    await app.query(
      `insert into password_resets (client_id, member_id, token_hash, expires_at)
         select client_id, id, $2, now() + interval '5 minutes' from members where client_id = $1`,
      [client.id, hashToken(link)],
    );
    const reset = { token: link, password: 'NovaSenha2027' };
    expect((await app.post('/api/auth/password/reset', reset)).status).toBe(204);
    const forged = earlier.messageRequest(URL, { id: 'wamid.forged', from: debtor.phone, text: 'PARAR' });
    expect(await app.deliver(forged)).toBe(401);
    expect(await receivedOf(app, client.id)).toEqual([]);
  });
});

describe('a message', () => {
  it('is stored with its debt, wakes the workflow, and says that the person is there', async () => {
    const userId = userIdOf(debtor.phone);
    const change = messagesChange(meta.sender, {
      id: 'wamid.a',
      from: waIdOf(debtor.phone),
      userId,
      content: text('oi'),
    });
    expect(await app.deliver(meta.request(URL, change))).toBe(200);
    expect(await receivedOf(app, client.id)).toMatchObject([
      { debt_id: debtor.id, text: 'oi', phone: debtor.phone, button: null, cut_from: null },
    ]);
    expect(await wakesOf(app, debtor.id)).toEqual([{ signal: 'messageReceived' }]);
    const [known] = await recipientsOf(app, debtor.id);
    expect(known).toMatchObject({ channel: 'whatsapp', channel_user_id: userId });
    expect(Date.now() - known!.wrote_at!.getTime()).toBeLessThan(60_000);
    expect(known!.reached_at).not.toBeNull();
  });

  it('is stored once, however often it comes', async () => {
    for (let time = 0; time < 3; time += 1)
      expect(await write(debtor.phone, text('oi'), { id: 'wamid.same' })).toBe(200);
    await Promise.all([1, 2, 3].map(() => write(debtor.phone, text('oi'), { id: 'wamid.same' })));
    expect(await receivedOf(app, client.id)).toHaveLength(1);
  });

  it('finds the debtor without the ninth digit', async () => {
    const far = await app.newDebtor(client, { debtorPhone: '+5561998765432' });
    expect(await write('556198765432', text('oi'))).toBe(200);
    expect(await receivedOf(app, client.id)).toMatchObject([{ debt_id: far.id, phone: '+5561998765432' }]);
  });

  it('finds a person without a phone number by the id that the channel told before', async () => {
    const userId = 'BR.1349283746';
    const first = { id: 'wamid.b1', from: debtor.phone, userId, content: text('oi') };
    const second = { id: 'wamid.b2', from: null, userId, content: text('sou eu') };
    expect(await app.deliver(meta.request(URL, messagesChange(meta.sender, first)))).toBe(200);
    expect(await app.deliver(meta.request(URL, messagesChange(meta.sender, second)))).toBe(200);
    expect((await receivedOf(app, client.id)).map(({ debt_id, text: said }) => [debt_id, said])).toEqual([
      [debtor.id, 'oi'],
      [debtor.id, 'sou eu'],
    ]);
  });

  it('finds a person of whom nothing is known by the message that it answers', async () => {
    const { channelMessageId } = await sentTo(app, debtor, 'whatsapp');
    const unknown = { id: 'wamid.c', from: null, userId: 'BR.99', content: text('oi'), inReplyTo: channelMessageId };
    expect(await app.deliver(meta.request(URL, messagesChange(meta.sender, unknown)))).toBe(200);
    expect(await receivedOf(app, client.id)).toMatchObject([{ debt_id: debtor.id, phone: debtor.phone }]);
  });

  it('of somebody without a debt is kept sealed, and gets no answer', async () => {
    for (let time = 0; time < 2; time += 1) {
      expect(await write('+5511955554444', text('quem é?'), { id: 'wamid.stranger' })).toBe(200);
    }
    expect(await receivedOf(app, client.id)).toEqual([]);
    const [kept, ...more] = await unmatchedOf(app, client.id);
    expect(more).toEqual([]);
    expect(kept!.sealed).not.toContain('quem');
    const opened = JSON.parse(cipher.open(kept!.sealed, `${client.id}:unmatched:wamid.stranger`));
    expect(opened).toMatchObject({ from: { phone: '+5511955554444' }, text: 'quem é?' });
    expect(app.logText()).not.toContain('955554444');
  });

  it('is cut after 4,096 characters, and the timeline says so', async () => {
    expect(await write(debtor.phone, text('ã'.repeat(5_000)))).toBe(200);
    expect(await receivedOf(app, client.id)).toMatchObject([{ text: 'ã'.repeat(4_096), cut_from: 5_000 }]);
    const { body } = await client.call('GET', `/api/debts/${debtor.id}`);
    const entry = body.timeline.find(({ kind }: { kind: string }) => kind === 'message_received');
    expect(entry).toMatchObject({ cutFrom: 5_000, text: 'ã'.repeat(4_096) });
  });

  it('keeps what the pressed button means', async () => {
    const content = { type: 'button', button: { payload: 'quita:already_paid', text: 'Já paguei' } };
    expect(await write(debtor.phone, content)).toBe(200);
    expect(await receivedOf(app, client.id)).toMatchObject([{ text: 'Já paguei', button: 'already_paid' }]);
  });

  it('is stored when half of its batch is malformed or unknown', async () => {
    const good = messagesChange(meta.sender, { id: 'wamid.good', from: debtor.phone, content: text('oi') });
    const value = good.value as { messages: unknown[] };
    const messages = [
      { id: 7 },
      null,
      'x',
      { from: debtor.phone, type: 'text' },
      { ...Object(value.messages[0]), future: { member: true } },
    ];
    const half = { ...good, value: { ...value, messages, novelty: [1] } };
    const changes = [{ field: 'novelty', value: 1 }, { field: 'messages', value: null }, half];
    expect(await app.deliver(meta.request(URL, ...changes))).toBe(200);
    expect(await receivedOf(app, client.id)).toMatchObject([{ channel_message_id: 'wamid.good', text: 'oi' }]);
  });

  it('stores the others of a batch when one cannot be stored, and asks for a repetition', async () => {
    const second = await app.newDebtor(client);
    await app.query(
      `create function refuse_poison() returns trigger language plpgsql as $$ begin
         if new.text = 'poison' then raise exception 'no'; end if; return new; end $$`,
    );
    await app.query(
      'create trigger refuse_poison before insert on messages for each row execute function refuse_poison()',
    );
    try {
      const change = messagesChange(
        meta.sender,
        { id: 'wamid.p1', from: debtor.phone, content: text('poison') },
        { id: 'wamid.p2', from: second.phone, content: text('oi') },
      );
      expect(await app.deliver(meta.request(URL, change))).toBe(500);
      expect(await receivedOf(app, client.id)).toMatchObject([{ channel_message_id: 'wamid.p2' }]);
    } finally {
      await app.query('drop trigger refuse_poison on messages');
      await app.query('drop function refuse_poison');
    }
  });

  it('with a file is stored with it, and a debtor of a sandbox campaign is not meant', async () => {
    const content = { type: 'image', image: { id: '1003383421387256', mime_type: 'image/jpeg' } };
    expect(await write(debtor.phone, content)).toBe(200);
    const [message] = await receivedOf(app, client.id);
    expect(message).toMatchObject({ text: '', debt_id: debtor.id });
    const { body } = await client.call('GET', `/api/debts/${debtor.id}`);
    const entry = body.timeline.find(({ kind }: { kind: string }) => kind === 'message_received');
    expect(entry.attachments).toEqual([
      {
        id: expect.any(String),
        kind: 'image',
        contentType: 'image/jpeg',
        filename: null,
        bytes: null,
        state: 'waiting',
      },
    ]);
    await app.query('update debts set sandbox = true where id = $1', [debtor.id]);
    expect(await write(debtor.phone, text('oi'))).toBe(200);
    expect(await receivedOf(app, client.id)).toHaveLength(1);
    expect(await unmatchedOf(app, client.id)).toHaveLength(1);
  });

  it('of a stranger is deleted after 30 days, and a file of a debtor after 180', async () => {
    const image = { type: 'image', image: { id: '1003383421387256' } };
    await write('+5511955554444', text('quem é?'));
    await write(debtor.phone, image);
    const kept = async () => [
      (await unmatchedOf(app, client.id)).length,
      (await app.query('select id from attachments where debt_id = $1', [debtor.id])).length,
    ];
    const age = async (unmatched: number, files: number) => {
      const ago = `created_at = now() - make_interval(days => $2) where client_id = $1`;
      await app.query(`update unmatched_messages set ${ago}`, [client.id, unmatched]);
      await app.query(`update attachments set ${ago}`, [client.id, files]);
      for (const purge of PURGES) await app.worker.system().transactional(purge);
    };
    await age(29, 179);
    expect(await kept()).toEqual([1, 1]);
    await age(31, 181);
    expect(await kept()).toEqual([0, 0]);
  });

  it('to a number of two clients goes to the newest conversation', async () => {
    const other = await app.newClient();
    await app.connect(other.id, 'whatsapp', meta.credentials);
    const same = await app.newDebtor(other, { debtorPhone: debtor.phone });
    await sentTo(app, debtor, 'whatsapp', { sentAt: new Date(Date.now() - 60_000) });
    await sentTo(app, same, 'whatsapp', { sentAt: new Date(Date.now() - 120_000) });
    expect(await write(debtor.phone, text('oi'))).toBe(200);
    await sentTo(app, same, 'whatsapp');
    await app.query(`update messages set created_at = now() + interval '1 minute' where debt_id = $1`, [same.id]);
    expect(await write(debtor.phone, text('e eu'))).toBe(200);
    expect((await receivedOf(app, client.id)).map((row) => row.text)).toEqual(['oi']);
    expect((await receivedOf(app, other.id)).map((row) => row.text)).toEqual(['e eu']);
  });
});

describe('a request for silence that the channel reports', () => {
  it('is stored as a message that says so, once', async () => {
    const change = {
      field: 'user_preferences',
      value: {
        metadata: { phone_number_id: meta.sender.phoneNumberId },
        user_preferences: [{ wa_id: waIdOf(debtor.phone), value: 'stop', timestamp: 1_790_000_000 }],
      },
    };
    for (let time = 0; time < 2; time += 1) expect(await app.deliver(meta.request(URL, change))).toBe(200);
    expect(await receivedOf(app, client.id)).toMatchObject([{ debt_id: debtor.id, button: 'opt_out' }]);
  });

  it('is stored when the channel reports it by a message of ours that it refused', async () => {
    const twilio = await FakeTwilio.open();
    await app.connect(client.id, 'twilio', twilio.credentials);
    const { channelMessageId } = await sentTo(app, debtor, 'twilio');
    const form = {
      MessageSid: channelMessageId,
      MessageStatus: 'failed',
      ErrorCode: '21610',
      From: twilio.credentials.senderId,
      To: debtor.phone,
    };
    const request = twilio.signed(urlOf('twilio'), form);
    expect(await app.deliver(request)).toBe(200);
    expect(await receivedOf(app, client.id)).toMatchObject([{ debt_id: debtor.id, button: 'opt_out' }]);
    await twilio.close();
  });
});

describe('a state of a message', () => {
  it('only ever says more, in whatever order and however often it comes', async () => {
    const sent = await sentTo(app, debtor, 'whatsapp');
    for (const status of ['read', 'sent', 'delivered', 'read', 'failed'])
      expect(await report(sent.channelMessageId, status)).toBe(200);
    expect(await deliveryOf(app, sent.id)).toMatchObject({ delivery: 'read', is_undo_due: false, failure: null });
    expect((await recipientsOf(app, debtor.id))[0]!.reached_at).not.toBeNull();
    expect(await wakesOf(app, debtor.id)).toEqual([]);
  });

  it('settles a message whose sending is uncertain, by our own id', async () => {
    const sent = await sentTo(app, debtor, 'whatsapp', { delivery: 'unknown' });
    expect(await report('wamid.other', 'delivered', { callback: sent.id })).toBe(200);
    expect(await deliveryOf(app, sent.id)).toMatchObject({ delivery: 'delivered' });
  });

  it('that comes before the answer to the sending records the sending', async () => {
    const sent = await sentTo(app, debtor, 'whatsapp', { delivery: 'booked' });
    expect(await report('wamid.early', 'delivered', { callback: sent.id })).toBe(200);
    expect(await deliveryOf(app, sent.id)).toMatchObject({ delivery: 'delivered', channel_message_id: 'wamid.early' });
    const { body } = await client.call('GET', `/api/debts/${debtor.id}`);
    expect(body.timeline).toContainEqual(expect.objectContaining({ kind: 'message_sent', delivery: 'delivered' }));
  });

  it('of a channel that repeats only the address of the state settles a message whose answer was lost', async () => {
    const twilio = await FakeTwilio.open();
    const owner = await app.newClient();
    await app.connect(owner.id, 'twilio', twilio.credentials);
    const person = await app.newDebtor(owner);
    for (const delivery of ['booked', 'unknown'] as const) {
      const sent = await sentTo(app, person, 'twilio', { delivery });
      const message = { channelMessageId: `SM${randomUUID()}`, to: person.phone, text: '' };
      const request = twilio.statusRequest(`${urlOf('twilio')}?message=${sent.id}`, message, 'delivered');
      expect(await app.deliver(request)).toBe(200);
      expect(await deliveryOf(app, sent.id)).toMatchObject({ delivery: 'delivered' });
    }
    await twilio.close();
  });

  it('that says so late that the message failed has its contact undone, and is not repeated', async () => {
    const sent = await sentTo(app, debtor, 'whatsapp');
    for (let time = 0; time < 2; time += 1)
      expect(await report(sent.channelMessageId, 'failed', { code: 131026 })).toBe(200);
    expect(await deliveryOf(app, sent.id)).toMatchObject({
      delivery: 'failed',
      is_undo_due: true,
      failure: 'undeliverable 131026',
    });
    expect((await recipientsOf(app, debtor.id))[0]!.unreachable_at).not.toBeNull();
    expect(await wakesOf(app, debtor.id)).toEqual([{ signal: 'stateChanged' }]);
  });

  it('that says that nobody knows what became of the message repeats nothing, and a later one counts', async () => {
    const twilio = await FakeTwilio.open();
    await app.connect(client.id, 'twilio', twilio.credentials);
    const sent = await sentTo(app, debtor, 'twilio');
    const message = { channelMessageId: sent.channelMessageId, to: debtor.phone, text: '' };
    const says = async (status: string, code?: string) =>
      expect(await app.deliver(twilio.statusRequest(urlOf('twilio'), message, status, code))).toBe(200);
    await says('undelivered', '30008');
    expect(await deliveryOf(app, sent.id)).toMatchObject({ delivery: 'unknown', is_undo_due: false, failure: null });
    expect(await wakesOf(app, debtor.id)).toEqual([]);
    const { body } = await client.call('GET', `/api/debts/${debtor.id}`);
    expect(body.timeline).not.toContainEqual(expect.objectContaining({ kind: 'message_sent', delivery: 'failed' }));
    await says('delivered');
    await says('undelivered', '30008');
    expect(await deliveryOf(app, sent.id)).toMatchObject({ delivery: 'delivered', is_undo_due: false });
    await twilio.close();
  });

  it('that a message with a Pix code could not be shown ends the codes of its sender, and not the person', async () => {
    const sent = await sentTo(app, debtor, 'whatsapp');
    const senders = `from channel_senders where client_id = $1 and channel = 'whatsapp'`;
    await app.query('update messages set charge_id = $2, sender_id = $3 where id = $1', [
      sent.id,
      randomUUID(),
      meta.credentials.senderId,
    ]);
    await app.query(`update channel_senders set pix_codes = true where client_id = $1`, [debtor.client.id]);
    expect(await report(sent.channelMessageId, 'failed', { code: 2040 })).toBe(200);
    expect(await deliveryOf(app, sent.id)).toMatchObject({ delivery: 'failed', is_undo_due: true });
    expect((await recipientsOf(app, debtor.id)).map(({ unreachable_at: at }) => at)).not.toContainEqual(
      expect.any(Date),
    );
    expect(await app.query(`select pix_codes as on, pix_refusal as why ${senders}`, [debtor.client.id])).toEqual([
      { on: false, why: 'rejected 2040' },
    ]);
  });

  it('of the channel before is ignored once another one carries the message', async () => {
    const sent = await sentTo(app, debtor, 'twilio', { delivery: 'sent' });
    expect(await report('wamid.before', 'failed', { callback: sent.id })).toBe(200);
    expect(await deliveryOf(app, sent.id)).toMatchObject({ delivery: 'sent', is_undo_due: false });
  });

  it('about a message of another client changes nothing', async () => {
    const other = await app.newDebtor(await app.newClient());
    const sent = await sentTo(app, other, 'whatsapp');
    expect(await report(sent.channelMessageId, 'failed', { callback: sent.id })).toBe(200);
    expect(await deliveryOf(app, sent.id)).toMatchObject({ delivery: 'sent', is_undo_due: false });
  });
});

describe('news of a sender', () => {
  const sender = async () =>
    (
      await app.query<Record<string, unknown>>(
        `select state, reason, quality, people_per_day, checked_at from channel_senders where client_id = $1`,
        [client.id],
      )
    )[0];
  const account = (event: string, ban?: string) => ({
    field: 'account_update',
    value: { event, ...(ban && { ban_info: { waba_ban_state: ban } }) },
  });

  it('slows it down, pauses it, and lets it go on', async () => {
    await app.deliver(meta.request(URL, qualityChange(meta.sender, 'FLAGGED', 'TIER_2K')));
    expect(await sender()).toMatchObject({ state: 'ready', quality: 'low', people_per_day: 2_000 });
    await app.deliver(meta.request(URL, account('DISABLED_UPDATE', 'DISABLE')));
    expect(await sender()).toMatchObject({ state: 'paused', reason: 'quality blocked', quality: 'blocked' });
    await app.deliver(meta.request(URL, account('DISABLED_UPDATE', 'REINSTATE')));
    expect(await sender()).toMatchObject({ state: 'ready', reason: null, quality: 'good' });
  });

  it('does not start a sender that stopped for another reason', async () => {
    await app.query(`update channel_senders set state = 'failing', reason = 'unauthorized 190' where client_id = $1`, [
      client.id,
    ]);
    await app.deliver(meta.request(URL, account('ACCOUNT_RECONNECTED')));
    expect(await sender()).toMatchObject({ state: 'failing', reason: 'unauthorized 190' });
  });

  it('that only a check explains makes the credentials be checked again', async () => {
    await app.query(`update channel_senders set checked_at = now() where client_id = $1`, [client.id]);
    await app.deliver(meta.request(URL, qualityChange(meta.sender, 'NOVELTY', 'TIER_NOVELTY')));
    expect(await sender()).toMatchObject({ state: 'ready', checked_at: null });
  });

  it('stores what happened to a template that is known', async () => {
    await app.query(
      `insert into channel_templates (client_id, channel, account_id, name, state) values ($1, 'whatsapp', $2, 'first_v1', 'approved')`,
      [client.id, meta.sender.accountId],
    );
    for (const name of ['first_v1', 'unknown_v1']) {
      expect(
        await app.deliver(meta.request(URL, templateChange({ name, event: 'REJECTED', reason: 'ABUSIVE_CONTENT' }))),
      ).toBe(200);
    }
    expect(await app.query(`select name, state from channel_templates where client_id = $1`, [client.id])).toEqual([
      { name: 'first_v1', state: 'rejected' },
    ]);
  });
});

describe('the webhooks of SMS', () => {
  it('take a message of Twilio, and answer with an empty document', async () => {
    const twilio = await FakeTwilio.open();
    await app.connect(client.id, 'twilio', twilio.credentials);
    const request = twilio.messageRequest(urlOf('twilio'), { id: 'SM1', from: debtor.phone, text: 'PARAR' });
    const answer = await app.call('POST', '/api/messaging/twilio', {
      body: request.body,
      headers: request.headers as Record<string, string>,
    });
    expect([answer.status, answer.body, answer.headers.get('content-type')]).toEqual([200, '<Response/>', 'text/xml']);
    expect(await receivedOf(app, client.id)).toMatchObject([{ debt_id: debtor.id }]);
    await twilio.close();
  });

  it('take a message of Zenvia', async () => {
    const zenvia = await FakeZenvia.open();
    await app.connect(client.id, 'zenvia', zenvia.credentials);
    const request = zenvia.messageRequest(urlOf('zenvia'), { id: 'z1', from: debtor.phone, text: 'oi' });
    expect(await app.deliver(request)).toBe(200);
    expect(await app.deliver({ ...request, headers: { authorization: 'Bearer no' } })).toBe(401);
    expect(await receivedOf(app, client.id)).toMatchObject([{ debt_id: debtor.id, text: 'oi' }]);
    await zenvia.close();
  });
});
