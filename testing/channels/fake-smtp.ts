import { createHmac } from 'node:crypto';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { ChannelRequest } from '../../src/modules/messaging/ports/channel-webhook.ts';
import type { BadDay, FakeChannel, TakenMessage } from './fake-channel.ts';

export interface TakenMail extends TakenMessage {
  /** The sender of the envelope. */
  readonly returnPath: string;
  readonly raw: string;
  readonly email: Email;
}

export interface FakeSmtp extends FakeChannel {
  readonly taken: readonly TakenMail[];
  /** A mail as the pipe of the mail server posts it, or any other body, signed. */
  request(url: string, body: unknown): ChannelRequest;
}

export interface FakeSmtpOptions {
  /** The secret by which requests are signed. */
  readonly secret: string;
  readonly now?: () => Date;
}

const LOGIN = { user: 'quita', password: 'right-password' };

const refusal = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode });

/** The replies of real servers, by the command that gets them. Postfix, Exchange, Gmail and Amazon SES answer so. */
const AT_SENDER: Partial<Record<BadDay, Error>> = {
  throttled: refusal(421, '4.7.0 Too many messages from this account, try again later'),
  no_permission: refusal(530, '5.7.0 Authentication required'),
  suspended: refusal(550, '5.7.1 Sending is paused for this account'),
};
const AT_RECIPIENT: Partial<Record<BadDay, Error>> = {
  recipient_throttled: refusal(450, '4.2.1 The user you are trying to contact is receiving mail too quickly'),
  unreachable_recipient: refusal(550, '5.1.1 <ana@cliente.example>: User unknown, +55 11 99999-0001'),
};
const AT_CONTENT: Partial<Record<BadDay, Error>> = {
  server_error: refusal(451, '4.3.0 Temporary system problem'),
  refused_content: refusal(554, '5.7.1 Message refused as spam'),
};

/** A next mail server. It takes mails into `taken` and knows the bad days of SMTP. */
export async function startFakeSmtp({ secret, now = () => new Date() }: FakeSmtpOptions): Promise<FakeSmtp> {
  const taken: TakenMail[] = [];
  const days: BadDay[] = [];
  const comes = (table: Partial<Record<BadDay, Error>>): Error | undefined => {
    const [day] = days;
    const error = day === undefined ? undefined : table[day];
    if (error !== undefined) days.shift();
    return error;
  };

  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (days[0] !== 'wrong_token' && username === LOGIN.user && password === LOGIN.password) {
        return done(null, { user: username });
      }
      if (days[0] === 'wrong_token') days.shift();
      done(refusal(535, '5.7.8 Username and password not accepted'));
    },
    onMailFrom: (_address, _session, done) => done(comes(AT_SENDER)),
    onRcptTo: (_address, _session, done) => done(comes(AT_RECIPIENT)),
    onData(stream, session, done) {
      void text(stream).then(async (raw) => {
        const refused = comes(AT_CONTENT);
        if (refused !== undefined) return done(refused);
        const { mailFrom, rcptTo } = session.envelope;
        const email = await PostalMime.parse(raw);
        taken.push({
          channelMessageId: (email.messageId ?? '').slice(1, 37),
          to: rcptTo[0]?.address ?? '',
          text: email.text ?? '',
          returnPath: mailFrom === false ? '' : mailFrom.address,
          raw,
          email,
        });
        const day = days[0];
        if (day === 'no_answer' || day === 'server_error_after_taking' || day === 'malformed_answer') {
          days.shift();
          if (day === 'malformed_answer') socketOf(server, session.id)?.write('hello\r\n');
          else if (day === 'server_error_after_taking') socketOf(server, session.id)?.destroy();
          return;
        }
        done(null);
      });
    },
  });
  // A client that gives up resets its connection.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;

  const request = (url: string, body: unknown): ChannelRequest => {
    const bytes = Buffer.from(JSON.stringify(body));
    const seconds = Math.floor(now().getTime() / 1_000);
    const hex = createHmac('sha256', secret).update(`${seconds}.`).update(bytes).digest('hex');
    return { url, headers: { 'x-quita-signature': `t=${seconds},v1=${hex}` }, body: bytes };
  };
  const posted = (url: string, to: string, raw: string): ChannelRequest =>
    request(url, { type: 'inbound', to, raw: Buffer.from(raw).toString('base64') });

  return {
    baseUrl: `smtp://${LOGIN.user}:${LOGIN.password}@127.0.0.1:${port}`,
    credentials: null,
    taken,
    next(...some) {
      const unknown = some.find((day) => !KNOWN_DAYS.includes(day));
      if (unknown !== undefined) throw new Error(`SMTP does not know the bad day ${unknown}`);
      days.push(...some);
    },
    request,
    deliveryRequest(url, message, delivery) {
      const mail = taken.find(({ channelMessageId }) => channelMessageId === message.channelMessageId);
      if (mail === undefined) throw new Error('This mail was not taken');
      if (delivery === 'read') throw new Error('E-mail has no such state');
      return posted(url, mail.returnPath, notification(mail, delivery));
    },
    messageRequest(url, message) {
      const to = taken.at(-1)?.email.replyTo?.[0]?.address ?? 'reply@quita.example';
      return posted(url, to, answer(to, message));
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const KNOWN_DAYS: readonly string[] = [
  ...[AT_SENDER, AT_RECIPIENT, AT_CONTENT].flatMap(Object.keys),
  'wrong_token',
  'no_answer',
  'server_error_after_taking',
  'malformed_answer',
];

/** The library offers no way to end a connection in the middle of a command. */
function socketOf(server: SMTPServer, sessionId: string): Socket | undefined {
  const connections = server.connections as unknown as Set<{ readonly id: string; readonly _socket: Socket }>;
  return [...connections].find(({ id }) => id === sessionId)?._socket;
}

const lines = (...some: readonly string[]): string => some.join('\r\n');

const notification = (mail: TakenMail, delivery: 'delivered' | 'failed'): string =>
  lines(
    'Return-Path: <>',
    'From: MAILER-DAEMON@relay.quita.example (Mail Delivery System)',
    `To: ${mail.returnPath}`,
    'Subject: Mail Delivery Report',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'This is the mail system.',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; relay.quita.example',
    '',
    `Final-Recipient: rfc822; ${mail.to}`,
    `Action: ${delivery}`,
    `Status: ${delivery === 'failed' ? '5.1.1' : '2.0.0'}`,
    '--b--',
    '',
  );

const answer = (to: string, message: { readonly id: string; readonly from: string; readonly text: string }): string =>
  lines(
    `From: ${message.from}`,
    `To: ${to}`,
    'Subject: Re: Sobre a sua conta com Escola Aurora',
    `Message-ID: <${message.id}@cliente.example>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    message.text,
    '',
  );
