import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createEmailWebhook } from '../../src/modules/messaging/adapters/email/email-webhook.ts';
import type { ChannelEvent } from '../../src/modules/messaging/ports/channel-webhook.ts';
import type { MessagingError, OutgoingMessage } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { opened } from '../../testing/opened.ts';
import { type ChannelUnderTest, describeChannel } from './channel-suite.ts';
import { CREDITOR, FROM, mailFixture, openEmail, PUBLIC_URL, SECRET, withAddresses } from './email-under-test.ts';
import { COMPLAINTS, DELAYS, FAILURES, rawOf, sesNotification } from './mails/server-mails.ts';

const URL_OF_WEBHOOK = `${PUBLIC_URL}/api/messaging/email-events`;
const RECIPIENT = { phone: '+5511999990001', email: 'ana@cliente.example' };

describeChannel(
  'e-mail',
  async (): Promise<ChannelUnderTest> => ({
    ...(await openEmail()),
    recipient: RECIPIENT,
    debtor: RECIPIENT.email,
    secret: SECRET,
  }),
  {
    // `throttled_with_retry_after` is left out because SMTP names no time, and `refused_connection` because this server
    // cannot stop listening for one mail; it is tested below.
    expected: {
      throttled: 'retryable',
      recipient_throttled: 'retryable',
      server_error: 'retryable',
      no_answer: 'unknown_outcome',
      server_error_after_taking: 'unknown_outcome',
      malformed_answer: 'unknown_outcome',
      wrong_token: 'unauthorized',
      no_permission: 'unauthorized',
      suspended: 'suspended',
      unreachable_recipient: 'undeliverable',
      refused_content: 'rejected',
    },
  },
);

const email = await openEmail();
await opened(email.fake);

const message = (change: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  id: randomUUID(),
  to: RECIPIENT,
  text: 'Olá, <Ana> & família.\nVeja: https://quita.example/c/1?a=1&b="2".\n\nPara não receber mais mensagens, responda PARAR.',
  context: { clientId: randomUUID(), debtId: randomUUID(), purpose: 'collection', at: new Date() },
  credentials: null,
  ...change,
});
const send = async (change?: Partial<OutgoingMessage>) => {
  const sent = message(change);
  await email.channel.send(sent);
  return { sent, mail: email.fake.taken.at(-1)! };
};
const failure = (change?: Partial<OutgoingMessage>): Promise<MessagingError> =>
  email.channel.send(message(change)).then(
    () => Promise.reject(new Error('The message was sent')),
    (error: MessagingError) => error,
  );
const header = (raw: string, name: string): string | undefined =>
  raw
    .split('\r\n\r\n', 1)[0]!
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}: `))
    ?.slice(name.length + 2);
const read = async (body: unknown): Promise<readonly ChannelEvent[]> =>
  email.webhook.read(email.fake.request(URL_OF_WEBHOOK, body));
const readRaw = (raw: string, more: object = {}) =>
  read({ type: 'inbound', raw: Buffer.from(raw).toString('base64'), ...more });
const readFixture = (name: string, messageId: string) => readRaw(mailFixture(name, email, messageId));

describe('an e-mail to a debtor', () => {
  it('comes from the creditor, and returns to addresses that name the message', async () => {
    const { sent, mail } = await send();
    expect(mail.email.from).toEqual({ name: CREDITOR, address: FROM });
    expect(mail.to).toBe('ana@cliente.example');
    expect(mail.email.subject).toBe(`Sobre a sua conta com ${CREDITOR}`);
    for (const [address, kind] of [
      [mail.returnPath, 'bounce'],
      [mail.email.replyTo?.[0]?.address ?? '', 'reply'],
      [mail.email.messageId ?? '', 'message'],
    ] as const) {
      expect(email.addresses.find(address)).toEqual([{ kind, messageId: sent.id }]);
      expect(address.split('@')[0]!.replace('<', '').length).toBeLessThanOrEqual(64);
    }
    expect(mail.email.messageId?.startsWith(`<${sent.id}`)).toBe(true);
    expect(header(mail.raw, 'Auto-Submitted')).toBe('auto-generated');
  });

  it('has the headers of RFC 8058, with an https address that cannot be forged', async () => {
    const { sent, mail } = await send();
    const [, url, mailto] = /^<(https:[^<>\s]+)>, <(mailto:[^<>\s]+)>$/.exec(
      header(mail.raw, 'List-Unsubscribe') ?? '',
    )!;
    expect(header(mail.raw, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    const { searchParams, origin, pathname } = new URL(url!);
    expect(origin + pathname).toBe(`${PUBLIC_URL}/api/messaging/email-unsubscribe`);
    const link = { messageId: sent.id, debtId: sent.context.debtId! };
    expect(searchParams.get('message')).toBe(link.messageId);
    expect(searchParams.get('debt')).toBe(link.debtId);
    expect(email.links.isSigned(link, searchParams.get('sig'))).toBe(true);
    expect(email.links.isSigned({ ...link, debtId: randomUUID() }, searchParams.get('sig'))).toBe(false);
    expect(email.links.isSigned({ ...link, messageId: randomUUID() }, searchParams.get('sig'))).toBe(false);
    expect(email.links.isSigned(link, undefined)).toBe(false);
    expect(email.addresses.find(mailto!)).toEqual([{ kind: 'stop', messageId: sent.id }]);
    expect(mail.text).toContain(url!);
  });

  it.each(['receipt', 'opt_out_confirmation'] as const)(
    'offers no end of messages with the purpose %s',
    async (purpose) => {
      const { mail } = await send({ context: { ...message().context, purpose } });
      expect(header(mail.raw, 'List-Unsubscribe')).toBeUndefined();
      expect(header(mail.raw, 'List-Unsubscribe-Post')).toBeUndefined();
    },
  );

  it('shows the text as it is, escaped, with a link, and fetches nothing when it is opened', async () => {
    const { sent, mail } = await send();
    expect(mail.text).toContain(sent.text);
    const html = mail.email.html!;
    expect(html).toContain('Olá, &lt;Ana&gt; &amp; família.<br>');
    expect(html).toContain('href="https://quita.example/c/1?a=1&amp;b=&quot;2&quot;"');
    expect(html).toContain('Água &amp; Luz &lt;Serviços&gt; Ltda.');
    expect(html).not.toMatch(/<img|<link|<script|background=|url\(|src=|@import/i);
  });

  it('attaches the document', async () => {
    const content = Buffer.from('%PDF-1.7 test');
    const { mail } = await send({
      document: { filename: 'quitação.pdf', contentType: 'application/pdf', content, url: 'https://x.example/r' },
    });
    expect(mail.email.attachments).toEqual([
      expect.objectContaining({ filename: 'quitação.pdf', mimeType: 'application/pdf' }),
    ]);
    expect(Buffer.from(mail.email.attachments[0]!.content as ArrayBuffer)).toEqual(content);
  });

  it('shows all mails about one debt as one conversation', async () => {
    const context = message().context;
    const [first, second] = [await send({ context }), await send({ context })];
    expect(header(first.mail.raw, 'References')).toBe(header(second.mail.raw, 'References'));
    expect(first.mail.email.subject).toBe(second.mail.email.subject);
    expect(header((await send()).mail.raw, 'References')).not.toBe(header(first.mail.raw, 'References'));
  });

  it('is not sent to a person without an address, and not without a text', async () => {
    const before = email.fake.taken.length;
    expect((await failure({ to: { phone: RECIPIENT.phone } })).kind).toBe('undeliverable');
    expect((await failure({ to: { ...RECIPIENT, email: 'a@b.c, d@e.f' } })).kind).toBe('undeliverable');
    expect((await failure({ text: ' ' })).kind).toBe('rejected');
    expect(email.fake.taken).toHaveLength(before);
  });

  it('tells a slow sender from a busy recipient, and passes on the code', async () => {
    email.fake.next('throttled');
    expect(await failure()).toMatchObject({ scope: 'sender', channelCode: '4.7.0' });
    email.fake.next('recipient_throttled');
    expect(await failure()).toMatchObject({ scope: 'recipient', channelCode: '4.2.1' });
  });

  it('reports a server that does not listen as retryable, and checks the login of one that does', async () => {
    const nobody = email.channelAt('smtp://127.0.0.1:1');
    await expect(nobody.send(message())).rejects.toMatchObject({ kind: 'retryable', scope: 'recipient' });
    await expect(
      email.channelAt(email.fake.baseUrl.replace('right', 'wrong')).checkCredentials(null),
    ).rejects.toMatchObject({ kind: 'unauthorized' });
    expect(await email.channel.checkCredentials(null)).toEqual({ shownAs: FROM, peoplePerDay: null });
  });
});

describe('reports about an e-mail', () => {
  it.each([
    ['postfix-unknown-user', 'undeliverable', '5.1.1'],
    ['exchange-online-not-found', 'undeliverable', '5.1.10'],
    ['gmail-no-such-user', 'undeliverable', '5.1.1'],
    ['qmail', 'undeliverable', '5.1.1'],
    ['gmail-over-quota', 'retryable', '5.2.2'],
    ['exim-old', 'retryable', '5.2.2'],
    ['postfix-expired', 'retryable', '4.4.1'],
    ['gmail-unauthenticated', 'rejected', '5.7.26'],
  ])('reads %s as failed, %s, %s', async (name, kind, channelCode) => {
    const id = randomUUID();
    expect(await readFixture(name, id)).toEqual([
      {
        kind: 'delivery',
        senderId: null,
        channelMessageId: id,
        messageId: id,
        delivery: 'failed',
        channelUserId: null,
        failure: { kind, channelCode },
      },
    ]);
  });

  it('reads a report of success as delivered', async () => {
    const id = randomUUID();
    expect(await readFixture('postfix-delivered', id)).toEqual([
      expect.objectContaining({ kind: 'delivery', messageId: id, delivery: 'delivered', failure: null }),
    ]);
  });

  it.each(['postfix-delayed', 'dmarc-failure', 'not-spam', 'read-mark', 'absence-exchange', 'absence-vacation'])(
    'changes nothing for %s',
    async (name) => {
      expect(await readFixture(name, randomUUID())).toEqual([]);
    },
  );

  describe('that servers write in words', () => {
    const readMail = (mail: Parameters<typeof rawOf>[0], id: string) =>
      readRaw(withAddresses(rawOf(mail), email, id), { to: email.addresses.bounce(id) });

    it.each(Object.entries(FAILURES))('tell the failure of %s', async (_name, mail) => {
      const id = randomUUID();
      expect(await readMail(mail, id)).toEqual([
        expect.objectContaining({
          kind: 'delivery',
          messageId: id,
          delivery: 'failed',
          failure: { kind: mail.kind, channelCode: expect.stringMatching(/^[45](\.\d+){2}$/) },
        }),
      ]);
    });

    it.each(Object.entries(DELAYS))('change nothing and say nothing for the debtor: %s', async (_name, mail) => {
      expect(await readMail(mail, randomUUID())).toEqual([]);
    });

    it.each(Object.entries(COMPLAINTS))('are a complaint: %s', async (_name, mail) => {
      const id = randomUUID();
      expect(await readMail(mail, id)).toEqual([expect.objectContaining({ kind: 'opt_out', inReplyTo: id })]);
    });

    it('are JSON when Amazon SES reports by e-mail', async () => {
      const id = randomUUID();
      const bounce = (bounceType: string, status: string, diagnosticCode: string) =>
        readMail(
          sesNotification({
            notificationType: 'Bounce',
            bounce: {
              bounceType,
              bouncedRecipients: [{ emailAddress: 'ana@cliente.example', status, diagnosticCode }],
            },
          }),
          id,
        );
      const failed = (kind: string) => [
        expect.objectContaining({ messageId: id, delivery: 'failed', failure: expect.objectContaining({ kind }) }),
      ];
      expect(await bounce('Permanent', '5.1.1', 'smtp; 550 5.1.1 user unknown')).toEqual(failed('undeliverable'));
      expect(await bounce('Transient', '5.2.2', 'smtp; 552 5.2.2 mailbox full')).toEqual(failed('retryable'));
      expect(await bounce('Permanent', '5.1.1', 'smtp; 550 blocked by our spam policy')).toEqual(failed('rejected'));
      expect(await readMail(sesNotification({ notificationType: 'Complaint', complaint: {} }), id)).toEqual([
        expect.objectContaining({ kind: 'opt_out', inReplyTo: id }),
      ]);
      expect(await readMail(sesNotification({ eventType: 'Delivery', delivery: {} }), id)).toEqual([
        expect.objectContaining({ delivery: 'delivered', messageId: id }),
      ]);
    });

    it('are words of a person when a person sends them', async () => {
      const id = randomUUID();
      const mail = { from: 'ana@cliente.example', text: 'O boleto não foi entregue, user unknown.', returns: false };
      const raw = withAddresses(rawOf(mail), email, id).replace(/^To: .*$/m, `To: ${email.addresses.reply(id)}`);
      expect(await readRaw(raw)).toEqual([expect.objectContaining({ kind: 'message', inReplyTo: id })]);
    });
  });

  it('does not take the failure of one member of a list for the failure of the message', async () => {
    const ofList = mailFixture('postfix-unknown-user', email, randomUUID()).replace(
      'Final-Recipient:',
      'Final-Recipient: rfc822; bia@cliente.example\r\nAction: delayed\r\nStatus: 4.4.1\r\n\r\nFinal-Recipient:',
    );
    expect(await readRaw(ofList)).toEqual([]);
  });

  it('takes a complaint as an opt-out of the person who got the message, though the address is hidden', async () => {
    const id = randomUUID();
    expect(await readFixture('complaint', id)).toEqual([
      expect.objectContaining({ kind: 'opt_out', senderId: FROM, inReplyTo: id, fromEmail: null }),
    ]);
  });

  it.each(['postfix-unknown-user', 'exchange-online-not-found', 'gmail-no-such-user', 'qmail', 'complaint'])(
    'believes no forged signature in %s',
    async (name) => {
      const forged = mailFixture(name, email, randomUUID())
        // The last digit before each `@` belongs to the signature.
        .replaceAll(/([0-9a-f])@/g, (_all, digit: string) => `${digit === '0' ? '1' : '0'}@`);
      expect(await readRaw(forged)).toEqual([]);
    },
  );

  it('does not take the signature of one kind of address for another kind', () => {
    const address = email.addresses.bounce(randomUUID());
    expect(email.addresses.find(address)).toHaveLength(1);
    expect(email.addresses.find(address.replace('bounce', 'stop'))).toEqual([]);
    expect(email.addresses.find(address.toUpperCase())).toHaveLength(1);
  });

  it('reads what a provider reports without a mail', async () => {
    const id = randomUUID();
    const about = email.addresses.message(id);
    expect(
      await read([
        { type: 'bounce', message: about, status: '5.1.1' },
        { type: 'delivered', message: `<${about}>`, unknown: 1 },
        { type: 'complaint', message: email.addresses.bounce(id) },
        { type: 'bounce', message: 'x@y.z' },
        { type: 'bounce' },
        { type: 'new_kind', message: about },
      ]),
    ).toEqual([
      expect.objectContaining({
        delivery: 'failed',
        messageId: id,
        failure: { kind: 'undeliverable', channelCode: '5.1.1' },
      }),
      expect.objectContaining({ delivery: 'delivered', messageId: id }),
      expect.objectContaining({ kind: 'opt_out', inReplyTo: id }),
    ]);
  });
});

describe('answers by e-mail', () => {
  it.each([
    ['reply-gmail', 'Vou pagar dia 27/11. Obrigada!', []],
    ['reply-outlook', 'Já paguei ontem, segue o comprovante.\n\nAna', []],
    ['reply-outlook-mobile', 'Não reconheço esta dívida & nunca comprei aí.', []],
    [
      'reply-iphone',
      'Segue\n\no comprovante',
      [{ kind: 'image', contentType: 'image/jpeg', filename: 'IMG_0001.jpeg' }],
    ],
    ['reply-webmail', 'PARAR', []],
  ])('%s: only the own words of the debtor are left', async (name, text, attachments) => {
    const id = randomUUID();
    const [event] = await readFixture(name, id);
    expect(event).toMatchObject({
      kind: 'message',
      senderId: FROM,
      inReplyTo: id,
      fromPhone: null,
      button: null,
      text,
    });
    expect(event).toMatchObject({
      attachment: attachments.length === 0 ? null : { ...attachments[0], attachmentId: null },
    });
  });

  it('finds the message by the envelope or by what is answered, when a program has lost the address', async () => {
    const [byEnvelope, byReference] = [randomUUID(), randomUUID()];
    const raw = (references: string) =>
      `From: a@b.example\r\nTo: outro@quita.example\r\nMessage-ID: <1@b.example>\r\n${references}\r\n\r\nOi`;
    expect(await readRaw(raw('X-A: 1'), { to: email.addresses.reply(byEnvelope) })).toEqual([
      expect.objectContaining({ inReplyTo: byEnvelope, channelMessageId: '<1@b.example>', fromEmail: 'a@b.example' }),
    ]);
    expect(await readRaw(raw(`References: <x@y.z> <${email.addresses.message(byReference)}>`))).toEqual([
      expect.objectContaining({ inReplyTo: byReference }),
    ]);
    expect(await readRaw(raw('X-A: 1'))).toEqual([expect.objectContaining({ inReplyTo: null })]);
  });

  it('takes any mail to the address for silence as an opt-out, also an empty one', async () => {
    const id = randomUUID();
    const raw = 'From: ana@cliente.example\r\nAuto-Submitted: auto-generated\r\nSubject: PARAR\r\n\r\n';
    expect(await readRaw(raw, { to: email.addresses.stop(id) })).toEqual([
      expect.objectContaining({ kind: 'opt_out', inReplyTo: id, fromEmail: 'ana@cliente.example' }),
    ]);
  });

  it('reads a subject that the debtor has written', async () => {
    const raw = (subject: string) => `From: a@b.example\r\nSubject: ${subject}\r\nMessage-ID: <1@b>\r\n\r\n`;
    expect(await readRaw(raw('PARAR'))).toEqual([expect.objectContaining({ text: 'PARAR' })]);
    expect(await readRaw(raw('Re: Sobre a sua conta'))).toEqual([]);
  });

  it('has one message for each attachment, with ids that a repeated delivery has again', async () => {
    const part = (type: string, name: string) =>
      `--b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment\r\n\r\nx\r\n`;
    const raw = `From: a@b.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSegue\r\n${part('application/pdf', 'a.pdf')}${part('image/png', 'b.png')}--b--\r\n`;
    const events = await readRaw(raw);
    expect(events).toEqual([
      expect.objectContaining({
        text: 'Segue',
        attachment: expect.objectContaining({ kind: 'document', filename: 'a.pdf' }),
      }),
      expect.objectContaining({ text: '', attachment: expect.objectContaining({ kind: 'image', filename: 'b.png' }) }),
    ]);
    const ids = events.map((event) => 'channelMessageId' in event && event.channelMessageId);
    expect(new Set(ids).size).toBe(2);
    expect((await readRaw(raw)).map((event) => 'channelMessageId' in event && event.channelMessageId)).toEqual(ids);
  });

  it('reads what a provider has parsed already', async () => {
    const id = randomUUID();
    const inbound = { type: 'inbound', id: 'p-1', to: email.addresses.reply(id), from: 'ana@cliente.example' };
    expect(await read({ ...inbound, text: 'PARAR\n\n> Oi' })).toEqual([
      expect.objectContaining({ kind: 'message', channelMessageId: 'p-1', text: 'PARAR', inReplyTo: id }),
    ]);
    expect(await read({ ...inbound, text: 'Estou de férias', automatic: true })).toEqual([]);
  });
});

describe('the signature of a request', () => {
  const signed = () => email.fake.request(URL_OF_WEBHOOK, { type: 'delivered', message: 'x' });

  it('is refused after five minutes, and when its time is changed', () => {
    const request = signed();
    const verified = (afterMs: number): boolean =>
      createEmailWebhook({
        addresses: email.addresses,
        reader: { read: async () => null, close: async () => undefined },
        fromAddress: FROM,
        now: () => new Date(Date.now() + afterMs),
      }).verify(request, [SECRET]);
    expect([0, 290_000, -290_000, 302_000, -302_000].map(verified)).toEqual([true, true, true, false, false]);
  });

  it.each([
    ['no time', (header: string) => header.replace(/t=\d+,/, '')],
    ['two times', (header: string) => `${header},t=1`],
    ['a time that is no number', (header: string) => header.replace(/t=\d+/, 't=NaN')],
    ['another time', (header: string) => header.replace(/t=\d+/, `t=${Math.floor(Date.now() / 1_000) - 1}`)],
    ['half a hash', (header: string) => header.slice(0, -32)],
    ['too many hashes', (header: string) => `${header}${`,v1=${'0'.repeat(64)}`.repeat(5)}`],
  ])('is refused with %s', (_what, change) => {
    const request = signed();
    const headers = { 'x-quita-signature': change(request.headers['x-quita-signature']!) };
    expect(email.webhook.verify({ ...request, headers }, [SECRET])).toBe(false);
  });

  it('is right when one of several hashes and one of several secrets match', () => {
    const request = signed();
    const headers = { 'x-quita-signature': `${request.headers['x-quita-signature']},v1=${'0'.repeat(64)}` };
    expect(email.webhook.verify({ ...request, headers }, ['old', SECRET])).toBe(true);
  });
});
