import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createZenviaChannel } from '../../src/modules/messaging/adapters/zenvia/zenvia-channel.ts';
import { createZenviaSubscriptions } from '../../src/modules/messaging/adapters/zenvia/zenvia-subscriptions.ts';
import { addressOf, zenviaWebhook } from '../../src/modules/messaging/adapters/zenvia/zenvia-webhook.ts';
import type { ChannelEvent, ChannelRequest } from '../../src/modules/messaging/ports/channel-webhook.ts';
import type { ChannelCredentials, OutgoingMessage } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { FakeZenvia } from '../../testing/channels/fake-zenvia.ts';
import { opened } from '../../testing/opened.ts';
import { describeChannel } from './channel-suite.ts';

const ADDRESS = 'https://quita.example.com.br/api/messaging/zenvia';
const DEBTOR = '+5511987654321';
const channelOf = (fake: FakeZenvia) => createZenviaChannel({ baseUrl: fake.baseUrl, timeoutMs: 5_000 });

describeChannel(
  'Zenvia',
  async () => {
    const fake = await FakeZenvia.open();
    return {
      channel: channelOf(fake),
      webhook: zenviaWebhook,
      fake,
      recipient: { phone: DEBTOR },
      debtor: DEBTOR.slice(1),
      secret: fake.credentials.webhookSecret!,
    };
  },
  {
    // Zenvia accepts every well-formed message: what is wrong with its recipient or its account is told by a delivery
    // state. It documents no limits, so 429 and 403 follow the general rules of HTTP.
    expected: {
      throttled: 'retryable',
      throttled_with_retry_after: 'retryable',
      server_error: 'unknown_outcome',
      no_answer: 'unknown_outcome',
      server_error_after_taking: 'unknown_outcome',
      malformed_answer: 'unknown_outcome',
      wrong_token: 'unauthorized',
      no_permission: 'unauthorized',
      refused_content: 'rejected',
      refused_connection: 'retryable',
    },
    signsBody: false,
  },
);

const fake = await opened(FakeZenvia.open());

describe('Zenvia sends SMS', () => {
  const message = (change: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
    id: randomUUID(),
    to: { phone: DEBTOR },
    text: 'Clínica São João: José, há um pagamento em aberto. Pix: https://quita.example/p/Ab3dE6fGh',
    context: { clientId: randomUUID(), debtId: randomUUID(), purpose: 'collection', at: new Date() },
    credentials: fake.credentials,
    ...change,
  });
  const send = (change: Partial<OutgoingMessage> = {}) => channelOf(fake).send(message(change));

  it('with the id of the service, which delivery states repeat', async () => {
    const id = randomUUID();
    const { channelMessageId } = await send({ id });
    const request = fake.requests.at(-1)!;
    expect(`${request.method} ${request.url.pathname}`).toBe('POST /v2/channels/sms/messages');
    expect(JSON.parse(request.body)).toEqual({
      from: fake.credentials.senderId,
      to: DEBTOR.slice(1),
      externalId: id,
      contents: [
        {
          type: 'text',
          text: 'Clinica Sao Joao: Jose, ha um pagamento em aberto. Pix: https://quita.example/p/Ab3dE6fGh',
        },
      ],
    });
    const state = fake.deliveryRequest(ADDRESS, fake.taken.at(-1)!, 'delivered');
    expect(zenviaWebhook.read(state)).toMatchObject([{ channelMessageId, messageId: id }]);
  });

  it.each<[string, Partial<OutgoingMessage>, string]>([
    ['three segments', { text: 'palavra '.repeat(40) }, 'rejected'],
    ['a word that no segment holds', { text: `https://q.example/${'x'.repeat(160)}` }, 'rejected'],
    ['the extension table, which Zenvia writes in 16 bits', { text: 'a [b] '.repeat(30) }, 'rejected'],
    ['nothing', { text: ' ' }, 'rejected'],
    ['a landline', { to: { phone: '+551140041234' } }, 'undeliverable'],
    [
      'no sender',
      { credentials: { senderId: '', accountId: null, accessToken: 'x', webhookSecret: null } },
      'unauthorized',
    ],
    ['no credentials', { credentials: null }, 'unauthorized'],
  ])('refuses %s without a call', async (_what, change, kind) => {
    const before = fake.requests.length;
    await expect(send(change)).rejects.toMatchObject({ kind, surelyNotSent: true });
    expect(fake.requests).toHaveLength(before);
  });

  it('says only the code of an error, never its text', async () => {
    fake.next('refused_content');
    await expect(send()).rejects.toMatchObject({
      message: 'Zenvia answered 400 (VALIDATION_ERROR)',
      channelCode: 'VALIDATION_ERROR',
    });
  });

  it('takes a message that exists already as one that was sent', async () => {
    const { createServer } = await import('node:http');
    const server = createServer((_request, response) => response.writeHead(409).end('{"code":"DUPLICATED"}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const channel = createZenviaChannel({ baseUrl: `http://127.0.0.1:${port}` });
    await expect(channel.send(message())).rejects.toMatchObject({ kind: 'unknown_outcome' });
    server.close();
  });
});

describe('the subscriptions at Zenvia', () => {
  const subscribe = (change: Partial<ChannelCredentials> = {}) =>
    createZenviaSubscriptions({ baseUrl: fake.baseUrl, webhookUrl: ADDRESS })({ ...fake.credentials, ...change });

  it('are made once, carry the secret, and are turned on again with a new one', async () => {
    await subscribe();
    expect(fake.subscriptions).toMatchObject([
      { eventType: 'MESSAGE', criteria: { channel: 'sms', direction: 'IN' }, status: 'ACTIVE' },
      { eventType: 'MESSAGE_STATUS', criteria: { channel: 'sms' }, status: 'ACTIVE' },
    ]);
    fake.subscriptions[0]!.status = 'INACTIVE';
    await subscribe({ webhookSecret: 'the-next-secret' });
    expect(fake.subscriptions).toHaveLength(2);
    for (const { webhook, status } of fake.subscriptions) {
      expect({ webhook, status }).toEqual({
        webhook: {
          url: `${ADDRESS}?sender=${encodeURIComponent(fake.credentials.senderId)}`,
          headers: { authorization: 'Bearer the-next-secret' },
        },
        status: 'ACTIVE',
      });
    }
  });

  it('make requests that the webhook verifies', async () => {
    await subscribe();
    const { headers } = fake.subscriptions[0]!.webhook;
    const request = { url: ADDRESS, headers: headers!, body: Buffer.from('{}') };
    expect(zenviaWebhook.verify(request, [fake.credentials.webhookSecret!])).toBe(true);
  });

  it('need a secret, and report a wrong token', async () => {
    await expect(subscribe({ webhookSecret: null })).rejects.toMatchObject({ kind: 'unauthorized' });
    await expect(subscribe({ accessToken: 'wrong' })).rejects.toMatchObject({ kind: 'unauthorized' });
  });
});

describe('requests of Zenvia', () => {
  const sent = { channelMessageId: randomUUID(), to: DEBTOR.slice(1), text: '' };
  const read = (request: ChannelRequest): readonly ChannelEvent[] => {
    expect(zenviaWebhook.senders(request)).toEqual([fake.credentials.senderId]);
    return zenviaWebhook.read(request);
  };
  const fakeAddress = (): string => addressOf(ADDRESS, fake.credentials.senderId);
  type Body = { message: { contents: unknown[] }; [member: string]: unknown };
  const change = (request: ChannelRequest, edit: (body: Body) => void): ChannelRequest => {
    const body = JSON.parse(Buffer.from(request.body).toString()) as Body;
    edit(body);
    return { ...request, body: Buffer.from(JSON.stringify(body)) };
  };

  it('hold a message of the debtor', () => {
    const id = randomUUID();
    expect(read(fake.messageRequest(ADDRESS, { id, from: '5511987654321', text: 'já paguei' }))).toEqual([
      {
        kind: 'message',
        senderId: fake.credentials.senderId,
        channelMessageId: id,
        fromPhone: '5511987654321',
        fromEmail: null,
        channelUserId: null,
        text: 'já paguei',
        button: null,
        attachment: null,
        inReplyTo: null,
      },
    ]);
  });

  it('may hold several contents, and unknown ones', () => {
    const request = fake.messageRequest(ADDRESS, { id: randomUUID(), from: '5511987654321', text: 'oi' });
    const more = change(request, (body) => {
      body.message.contents.push({ type: 'text', text: 'tudo bem?' }, { type: 'file', fileUrl: 'x' }, null);
      body.unknown = { deep: [1] };
    });
    expect(read(more)).toMatchObject([{ text: 'oi\ntudo bem?', attachment: { kind: 'other', attachmentId: null } }]);
  });

  it.each([
    ['SENT', 'sent'],
    ['DELIVERED', 'delivered'],
    ['READ', 'read'],
  ])('hold the state %s', (code, delivery) => {
    expect(read(fake.statusRequest(ADDRESS, sent, code))).toMatchObject([
      { kind: 'delivery', channelMessageId: sent.channelMessageId, delivery, failure: null },
    ]);
  });

  it.each([
    ['NOT_DELIVERED', [{ reason: '145 - Inactive mobile number' }], 'undeliverable', '145'],
    ['NOT_DELIVERED', [{ channelErrorCode: '150', details: 'expired' }], 'undeliverable', '150'],
    ['NOT_DELIVERED', [{ channelErrorCode: 134 }], 'rejected', '134'],
    ['NOT_DELIVERED', [], 'undeliverable', 'NOT_DELIVERED'],
    ['REJECTED', [{ details: '140 - Mobile number not covered' }], 'undeliverable', '140'],
    ['REJECTED', [{ channelErrorCode: '990', reason: 'Account Limit Reached' }], 'suspended', '990'],
    ['REJECTED', [{ reason: '160' }], 'retryable', '160'],
    ['REJECTED', [{ reason: 'something about 5511987654321' }], 'rejected', 'REJECTED'],
    ['REJECTED', 'none', 'rejected', 'REJECTED'],
    ['REJECTED', [null, 7, { reason: 7 }], 'rejected', 'REJECTED'],
  ])('hold the failure %s because of %j', (code, causes, kind, channelCode) => {
    expect(read(fake.statusRequest(ADDRESS, sent, code, causes))).toMatchObject([
      { delivery: 'failed', failure: { kind, channelCode } },
    ]);
  });

  // The specification requires little more, and the official SDK's own examples have no more.
  it.each([
    ['DELIVERED', { message: { from: 'SENDER', id: 'm-1' }, messageStatus: { code: 'DELIVERED' } }],
    ['SENT', { messageId: 'm-1', messageStatus: { code: 'SENT' } }],
    ['DELIVERED', { messageId: 'm-1', message: {}, messageStatus: { code: 'DELIVERED', causes: null } }],
    ['REJECTED', { messageId: 'm-1', messageStatus: { code: 'REJECTED' } }],
  ])('hold the state %s with only the members that are required', (code, members) => {
    const event = { type: 'MESSAGE_STATUS', channel: 'sms', ...members };
    const text = JSON.stringify(event).replace('SENDER', fake.credentials.senderId);
    const url = fakeAddress();
    expect(zenviaWebhook.senders({ url, headers: {}, body: Buffer.from(text) })).toEqual([fake.credentials.senderId]);
    expect(zenviaWebhook.read({ url, headers: {}, body: Buffer.from(text) })).toMatchObject([
      { kind: 'delivery', channelMessageId: 'm-1', delivery: code === 'REJECTED' ? 'failed' : code.toLowerCase() },
    ]);
  });

  it('hold a message with only the members that are required, and what it answers', () => {
    const { senderId: to } = fake.credentials;
    const requestOf = (id: object, message: object): ChannelRequest => ({
      url: ADDRESS,
      headers: {},
      body: Buffer.from(
        JSON.stringify({
          ...id,
          type: 'MESSAGE',
          channel: 'sms',
          direction: 'IN',
          message: { from: '5511987654321', to, contents: [{ type: 'text', text: 'PARAR' }], ...message },
        }),
      ),
    });
    expect(read(requestOf({ id: 'event-1' }, {}))).toMatchObject([{ channelMessageId: 'event-1', text: 'PARAR' }]);
    expect(read(requestOf({ id: 'event-1' }, { id: 'm-1', idRef: 'sent-1' }))).toMatchObject([
      { channelMessageId: 'm-1', inReplyTo: 'sent-1' },
    ]);
  });

  it('name a sender in their address, so that an event without one is verified too', () => {
    const { webhookSecret } = fake.credentials;
    const headers = { authorization: `Bearer ${webhookSecret}` };
    const request = { url: fakeAddress(), headers, body: Buffer.from('{"type":"NEW_KIND"}') };
    expect(zenviaWebhook.senders(request)).toEqual([fake.credentials.senderId]);
    expect(zenviaWebhook.read(request)).toEqual([]);
  });

  it.each(['CLICKED', 'VERIFIED', 'ACCEPTED', 'DELETED', 'NEW_STATE'])('change nothing by the state %s', (code) => {
    expect(read(fake.statusRequest(ADDRESS, sent, code))).toEqual([]);
  });

  it('of other channels, of sent messages and of unknown kinds are ignored', () => {
    const request = fake.messageRequest(ADDRESS, { id: randomUUID(), from: '5511987654321', text: 'oi' });
    for (const [member, value] of Object.entries({
      type: 'CONTACT',
      channel: 'whatsapp',
      direction: 'OUT',
      message: null,
    })) {
      const other = change(request, (body) => {
        Object.assign(body, { [member]: value });
      });
      expect(zenviaWebhook.read(other)).toEqual([]);
      expect(zenviaWebhook.senders(other)).toEqual([]);
    }
  });

  it('are refused when they are too large to be read', () => {
    const request = { url: ADDRESS, headers: {}, body: Buffer.from(`{"a":"${'x'.repeat(300_000)}"}`) };
    expect(() => zenviaWebhook.read(request)).toThrow(expect.objectContaining({ name: 'ChannelBodyError' }));
  });

  it('prove themselves by the secret of their subscription alone', () => {
    const request = fake.messageRequest(ADDRESS, { id: randomUUID(), from: '5511987654321', text: 'oi' });
    const secret = fake.credentials.webhookSecret!;
    const given = (authorization: string | undefined) => ({ ...request, headers: { authorization } });
    expect(zenviaWebhook.verify(request, ['old', secret])).toBe(true);
    for (const wrong of [undefined, '', 'Bearer ', secret, `bearer ${secret}`, `Bearer ${secret} `]) {
      expect(zenviaWebhook.verify(given(wrong), [secret])).toBe(false);
    }
    expect(zenviaWebhook.verify(given('Bearer '), [''])).toBe(false);
  });
});
