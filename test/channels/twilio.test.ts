import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { createTwilioChannel } from '../../src/modules/messaging/adapters/twilio/twilio-channel.ts';
import { twilioWebhook } from '../../src/modules/messaging/adapters/twilio/twilio-webhook.ts';
import type { ChannelEvent, ChannelRequest } from '../../src/modules/messaging/ports/channel-webhook.ts';
import type { ChannelCredentials, OutgoingMessage } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { FakeTwilio } from '../../testing/channels/fake-twilio.ts';
import { opened } from '../../testing/opened.ts';
import { describeChannel } from './channel-suite.ts';

const ADDRESS = 'https://quita.example.com.br/api/messaging/twilio';
const DEBTOR = '+5511987654321';
const channelOf = (fake: FakeTwilio) =>
  createTwilioChannel({ baseUrl: fake.baseUrl, statusCallbackUrl: ADDRESS, timeoutMs: 5_000 });

describeChannel(
  'Twilio',
  async () => {
    const fake = await FakeTwilio.open();
    return {
      channel: channelOf(fake),
      webhook: twilioWebhook,
      fake,
      recipient: { phone: DEBTOR },
      debtor: DEBTOR,
      secret: fake.credentials.accessToken,
    };
  },
  {
    // Twilio limits senders and accounts; it has no limit for one recipient of SMS.
    expected: {
      throttled: 'retryable',
      throttled_with_retry_after: 'retryable',
      server_error: 'unknown_outcome',
      no_answer: 'unknown_outcome',
      server_error_after_taking: 'unknown_outcome',
      malformed_answer: 'unknown_outcome',
      wrong_token: 'unauthorized',
      no_permission: 'suspended',
      unreachable_recipient: 'undeliverable',
      refused_content: 'rejected',
      suspended: 'suspended',
      refused_connection: 'retryable',
    },
  },
);

const serve = async (listener: RequestListener) => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

const message = (credentials: ChannelCredentials | null, change: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  id: randomUUID(),
  to: { phone: DEBTOR },
  text: 'Clínica São João: José, há um pagamento em aberto. Pix: https://quita.example/p/Ab3dE6fGh “até” 20/11',
  context: { clientId: randomUUID(), debtId: randomUUID(), purpose: 'collection', at: new Date() },
  credentials,
  ...change,
});

const fake = await opened(FakeTwilio.open());

describe('Twilio sends SMS', () => {
  const send = (change: Partial<OutgoingMessage> = {}) => channelOf(fake).send(message(fake.credentials, change));

  it('as a form, with its own address for states and a short life, in the 7-bit alphabet', async () => {
    const id = randomUUID();
    await send({ id });
    const request = fake.requests.at(-1)!;
    expect(request.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(request.body))).toEqual({
      To: DEBTOR,
      From: fake.credentials.senderId,
      Body: 'Clinica Sao Joao: Jose, ha um pagamento em aberto. Pix: https://quita.example/p/Ab3dE6fGh "ate" 20/11',
      StatusCallback: `${ADDRESS}?message=${id}`,
      ValidityPeriod: '900',
    });
    expect(fake.taken.at(-1)?.text).toContain('Jose');
  });

  it.each<[string, Partial<OutgoingMessage>, string]>([
    ['three segments', { text: 'palavra '.repeat(45) }, 'rejected'],
    ['three segments of 16 bits', { text: `Анна ${'palavra '.repeat(17)}` }, 'rejected'],
    ['nothing but emoji', { text: '😀' }, 'rejected'],
    ['too much text', { text: 'a'.repeat(4_097) }, 'rejected'],
    ['a landline', { to: { phone: '+551140041234' } }, 'undeliverable'],
    ['another country', { to: { phone: '+351912345678' } }, 'undeliverable'],
  ])('refuses %s without a call', async (_what, change, kind) => {
    const before = fake.requests.length;
    await expect(send(change)).rejects.toMatchObject({ kind, surelyNotSent: true });
    expect(fake.requests).toHaveLength(before);
  });

  it.each<[string, Partial<ChannelCredentials>]>([
    ['no account', { accountId: null }],
    ['an account that would change the address', { accountId: 'AC../../Accounts' }],
    ['a word as sender', { senderId: 'QUITA' }],
    ['a token with a line end', { accessToken: 'a\r\nb' }],
  ])('refuses %s without a call', async (_what, change) => {
    const before = fake.requests.length;
    await expect(send({ credentials: { ...fake.credentials, ...change } })).rejects.toMatchObject({
      kind: 'unauthorized',
    });
    await expect(send({ credentials: null })).rejects.toMatchObject({ kind: 'unauthorized' });
    expect(fake.requests).toHaveLength(before);
  });

  it('says when the person has sent STOP to Twilio', async () => {
    fake.optedOut.add('+5511912345678');
    await expect(send({ to: { phone: '+5511912345678' } })).rejects.toMatchObject({
      kind: 'opted_out',
      channelCode: '21610',
      scope: 'recipient',
    });
  });

  it.each<[number, object, object]>([
    [503, { code: 21211 }, { kind: 'unknown_outcome', channelCode: '21211' }],
    [500, {}, { kind: 'unknown_outcome', channelCode: '500' }],
    [400, { code: 29999 }, { kind: 'rejected', channelCode: '29999' }],
    [400, { code: 'x'.repeat(99) }, { kind: 'rejected', channelCode: '400' }],
    [404, { code: 20404 }, { kind: 'unauthorized', scope: 'sender' }],
    [400, { code: 21611 }, { kind: 'retryable', scope: 'sender' }],
    [400, { code: 21608 }, { kind: 'suspended' }],
    [408, {}, { kind: 'unknown_outcome' }],
    [
      201,
      { sid: 'SM0123456789', status: 'failed', error_code: 30005 },
      { kind: 'undeliverable', channelCode: '30005' },
    ],
    [201, { sid: 'SM0123456789', status: 'undelivered' }, { kind: 'undeliverable', channelCode: 'undelivered' }],
    [201, { sid: 'SM 0', status: 'queued' }, { kind: 'unknown_outcome' }],
    [201, [], { kind: 'unknown_outcome' }],
  ])('reads the answer %d %j as %j', async (status, body, expected) => {
    const server = await serve((_request, response) => response.writeHead(status).end(JSON.stringify(body)));
    const channel = createTwilioChannel({ baseUrl: server.baseUrl, statusCallbackUrl: ADDRESS });
    await expect(channel.send(message(fake.credentials))).rejects.toMatchObject(expected);
    server.close();
  });

  it('finds the sender in the account, and an account that is not active', async () => {
    const channel = channelOf(fake);
    expect(await channel.checkCredentials(fake.credentials)).toEqual({
      shownAs: fake.credentials.senderId,
      peoplePerDay: null,
    });
    for (const senderId of ['+5511999999999', '28123']) {
      await expect(channel.checkCredentials({ ...fake.credentials, senderId })).rejects.toMatchObject({
        kind: 'rejected',
      });
    }
    fake.accountStatus = 'suspended';
    await expect(channel.checkCredentials(fake.credentials)).rejects.toMatchObject({ kind: 'suspended' });
    fake.accountStatus = 'active';
    const short = await FakeTwilio.open({ senderId: '28123' });
    expect(await channelOf(short).checkCredentials(short.credentials)).toMatchObject({ shownAs: '28123' });
    await short.close();
  });

  it('gives up after its time limit, without knowing what happened', async () => {
    const silent = await serve(() => undefined);
    const channel = createTwilioChannel({ baseUrl: silent.baseUrl, statusCallbackUrl: ADDRESS, timeoutMs: 100 });
    await expect(channel.send(message(fake.credentials))).rejects.toMatchObject({ kind: 'unknown_outcome' });
    await expect(channel.checkCredentials(fake.credentials)).rejects.toMatchObject({ kind: 'retryable' });
    silent.close();
  });

  it('does not follow a redirect with its token, and reads no endless answer', async () => {
    let calls = 0;
    const server = await serve((request, response) => {
      calls += 1;
      if (request.url?.includes('redirected')) return response.end('{}');
      if (request.method === 'GET') {
        return response.end(`{"status":"active","incoming_phone_numbers":[{}],"more":"${'x'.repeat(300 * 1_024)}"}`);
      }
      return response.writeHead(302, { location: '/redirected' }).end();
    });
    const channel = createTwilioChannel({ baseUrl: `${server.baseUrl}/`, statusCallbackUrl: ADDRESS });
    await expect(channel.send(message(fake.credentials))).rejects.toMatchObject({ kind: 'unknown_outcome' });
    await expect(channel.checkCredentials(fake.credentials)).rejects.toMatchObject({ kind: 'retryable' });
    expect(calls).toBe(2);
    server.close();
  });
});

describe('requests of Twilio', () => {
  const TOKEN = '12345';
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
  const VECTOR: ChannelRequest = {
    url: 'https://cobranca.example.com/webhooks/twilio?tenant=42',
    headers: { ...FORM, 'x-twilio-signature': 'pbm/j37YTuCY9liz3+d9DVlixQI=' },
    body: Buffer.from(
      new URLSearchParams({
        To: 'whatsapp:+5511987654321',
        MessageSid: 'SM00000000000000000000000000000001',
        From: 'whatsapp:+551140041234',
        MessageStatus: 'delivered',
      }).toString(),
    ),
  };
  const signature = (text: string, token = TOKEN): string => createHmac('sha1', token).update(text).digest('base64');

  it('are signed as a recorded one is', () => {
    expect(twilioWebhook.verify(VECTOR, [TOKEN])).toBe(true);
    expect(twilioWebhook.verify(VECTOR, ['other', TOKEN])).toBe(true);
    expect(twilioWebhook.verify(VECTOR, ['54321', ''])).toBe(false);
    const headers = { ...FORM, 'x-twilio-signature': signature('https://q.example/A1', '') };
    const unsigned = { url: 'https://q.example/', headers, body: Buffer.from('A=1') };
    expect(twilioWebhook.verify(unsigned, [''])).toBe(false);
    for (const url of [`${VECTOR.url}3`, VECTOR.url.replace('cobranca', 'cobrancas'), VECTOR.url.slice(0, -10)]) {
      expect(twilioWebhook.verify({ ...VECTOR, url }, [TOKEN])).toBe(false);
    }
  });

  it.each([
    ['https://q.example/api/messaging/twilio', 'https://q.example:443/api/messaging/twilio'],
    ['https://q.example:443/api/messaging/twilio', 'https://q.example/api/messaging/twilio'],
    ['https://q.example:8443/api/messaging/twilio', 'https://q.example/api/messaging/twilio'],
    ['http://localhost:3000/api/messaging/twilio', 'http://localhost/api/messaging/twilio'],
    ['https://Q.example/api/messaging/twilio', 'https://q.example/api/messaging/twilio'],
    ['https://q.example', 'https://q.example/'],
  ])('to %s may be signed as %s', (url, signed) => {
    const request = {
      url,
      headers: { ...FORM, 'x-twilio-signature': signature(`${signed}A1`) },
      body: Buffer.from('A=1'),
    };
    expect(twilioWebhook.verify(request, [TOKEN])).toBe(true);
  });

  it('sign repeated fields once each, in order', () => {
    const url = 'https://q.example/x';
    const body = Buffer.from('b=2&a=z&a=y&a=z&b=');
    const headers = { ...FORM, 'x-twilio-signature': signature(`${url}ayazbb2`) };
    expect(twilioWebhook.verify({ url, headers, body }, [TOKEN])).toBe(true);
  });

  it('sign another body than a form by its hash in the address', () => {
    const body = Buffer.from('{"MessageSid":"SM1"}');
    const hash = createHash('sha256').update(body).digest('hex');
    const url = `https://q.example/x?bodySHA256=${hash}`;
    const headers = { 'content-type': 'application/json', 'x-twilio-signature': signature(url) };
    expect(twilioWebhook.verify({ url, headers, body }, [TOKEN])).toBe(true);
    expect(twilioWebhook.verify({ url, headers, body: Buffer.from('{"MessageSid":"SM2"}') }, [TOKEN])).toBe(false);
    const unsigned = 'https://q.example/x';
    const bare = { url: unsigned, headers: { ...headers, 'x-twilio-signature': signature(unsigned) }, body };
    expect(twilioWebhook.verify(bare, [TOKEN])).toBe(false);
  });

  it.each([
    ['65 KiB', 'a'.repeat(66_000)],
    ['300 fields', Array.from({ length: 300 }, (_, number) => `a${number}=1`).join('&')],
  ])('with %s are refused before they are read', (_what, text) => {
    const request = {
      url: ADDRESS,
      headers: { ...FORM, 'x-twilio-signature': signature(ADDRESS) },
      body: Buffer.from(text),
    };
    expect(twilioWebhook.verify(request, [TOKEN])).toBe(false);
    expect(twilioWebhook.senders(request)).toEqual([]);
    expect(() => twilioWebhook.read(request)).toThrow(expect.objectContaining({ name: 'ChannelBodyError' }));
  });

  describe('become events', () => {
    const sent = { channelMessageId: `SM${'0'.repeat(32)}`, to: DEBTOR, text: '' };
    const read = (request: ChannelRequest): readonly ChannelEvent[] => {
      expect(twilioWebhook.verify(request, [fake.credentials.accessToken])).toBe(true);
      // The secret of another client of the same account must not do, so the account is not named.
      expect(twilioWebhook.senders(request)).toEqual([fake.credentials.senderId]);
      return twilioWebhook.read(request);
    };
    const received = (text: string, fields?: Record<string, string>) =>
      read(fake.messageRequest(ADDRESS, { id: randomUUID(), from: DEBTOR, text }, fields));

    it('for a message of the debtor, whatever it contains', () => {
      for (const text of ['já paguei & mandei 100% 😀 a=b+c\nobrigada', 'PARAR', '']) {
        expect(received(text)).toEqual([
          {
            kind: 'message',
            senderId: fake.credentials.senderId,
            channelMessageId: expect.stringMatching(/^SM/),
            fromPhone: DEBTOR,
            fromEmail: null,
            channelUserId: null,
            text,
            button: null,
            attachment: null,
            inReplyTo: null,
          },
        ]);
      }
    });

    it('for an attachment, whose content is not read', () => {
      const [event] = received('', { NumMedia: '1', MediaContentType0: 'image/jpeg', MediaUrl0: 'https://x.example' });
      expect(event).toMatchObject({
        text: '',
        attachment: { kind: 'image', attachmentId: null, contentType: 'image/jpeg', filename: null },
      });
    });

    it('for the word by which Twilio itself stops the messages', () => {
      expect(received('STOP', { OptOutType: 'STOP' })).toEqual([
        {
          kind: 'opt_out',
          senderId: fake.credentials.senderId,
          channelMessageId: expect.any(String),
          fromPhone: DEBTOR,
          fromEmail: null,
        },
      ]);
      for (const type of ['START', 'HELP']) {
        expect(received(type, { OptOutType: type })).toMatchObject([{ kind: 'message', text: type }]);
      }
    });

    it.each([
      ['sent', 'sent'],
      ['delivered', 'delivered'],
      ['read', 'read'],
    ])('for the state %s', (status, delivery) => {
      expect(read(fake.statusRequest(ADDRESS, sent, status))).toEqual([
        {
          kind: 'delivery',
          senderId: fake.credentials.senderId,
          channelMessageId: sent.channelMessageId,
          messageId: null,
          delivery,
          channelUserId: null,
          failure: null,
        },
      ]);
    });

    it.each(['queued', 'accepted', 'sending', 'scheduled', 'partially_delivered', 'new_state'])(
      'but not for the state %s',
      (status) => {
        expect(read(fake.statusRequest(ADDRESS, sent, status))).toEqual([]);
      },
    );

    it.each([
      ['undelivered', '30003', 'undeliverable'],
      ['undelivered', '30005', 'undeliverable'],
      ['undelivered', '30006', 'undeliverable'],
      ['failed', '21614', 'undeliverable'],
      ['failed', '30001', 'retryable'],
      ['failed', '30036', 'retryable'],
      ['undelivered', '30022', 'retryable'],
      ['undelivered', '30007', 'rejected'],
      ['undelivered', '30008', 'unknown_outcome'],
      ['failed', '30410', 'unknown_outcome'],
      ['failed', '30002', 'suspended'],
      // What the carrier has not registered yet says nothing about the phone.
      ['undelivered', '30018', 'suspended'],
      ['undelivered', '30024', 'suspended'],
      ['undelivered', '30032', 'suspended'],
      ['undelivered', '30033', 'suspended'],
      ['undelivered', '30034', 'suspended'],
      ['undelivered', '30035', 'suspended'],
      ['undelivered', '30023', 'retryable'],
      ['undelivered', '30027', 'retryable'],
      ['undelivered', '39999', 'undeliverable'],
      ['failed', undefined, 'undeliverable'],
    ])('for the state %s with code %s, which is %s', (status, code, kind) => {
      expect(read(fake.statusRequest(ADDRESS, sent, status, code))).toMatchObject([
        { kind: 'delivery', delivery: 'failed', failure: { kind, channelCode: code ?? status } },
      ]);
    });

    it('for a message that Twilio has stopped, because the person asked it to', () => {
      expect(read(fake.statusRequest(ADDRESS, sent, 'failed', '21610'))).toMatchObject([
        { kind: 'delivery', delivery: 'failed', failure: { kind: 'opted_out', channelCode: '21610' } },
        { kind: 'opt_out', fromPhone: DEBTOR, senderId: fake.credentials.senderId },
      ]);
    });

    it('and nothing without a message or a sender', () => {
      const { senderId } = fake.credentials;
      for (const fields of [
        { From: senderId, MessageStatus: 'sent' },
        { MessageSid: 'SM1', MessageStatus: 'sent' },
      ]) {
        expect(twilioWebhook.read(fake.signed(ADDRESS, fields as unknown as Record<string, string>))).toEqual([]);
      }
    });
  });
});
