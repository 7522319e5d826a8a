import { randomUUID } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Mail } from '../../../kernel/ports/mailer.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function listen(server: SMTPServer | Server): Promise<number> {
  return new Promise((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => {
      const address = listening.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

async function smtpServer(options: SMTPServerOptions = {}) {
  const received: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, _session, done) => void text(stream).then((raw) => done(null, void received.push(raw) as never)),
    ...options,
  });
  server.on('error', () => {});
  const port = await listen(server);
  stops.push(() => new Promise((resolve) => server.close(() => resolve())));
  return { received, mailer: mailerAt(`smtp://127.0.0.1:${port}`) };
}

/** A server without an SMTP library: `answer` answers every line from the client or closes the connection. */
async function rawServer(timeoutMs: number, answer: (line: string, socket: Socket) => string | undefined) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write('220 test ESMTP\r\n');
    socket.on('data', (data) => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) {
        const reply = answer(line, socket);
        if (reply !== undefined) socket.write(`${reply}\r\n`);
      }
    });
  });
  const port = await listen(server);
  stops.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return mailerAt(`smtp://127.0.0.1:${port}`, 5_000, timeoutMs);
}

// Time limits are short only where no answer comes, so that a busy machine affects no other test.
const mailerAt = (url: string, timeoutMs = 5_000, silenceTimeoutMs = timeoutMs) =>
  createSmtpMailer({
    url,
    from: 'Quita <nao-responda@quita.example>',
    connectTimeoutMs: timeoutMs,
    silenceTimeoutMs,
  });
const refusal = (responseCode: number) => Object.assign(new Error('no'), { responseCode });
const mail = (change: Partial<Mail> = {}): Mail => ({
  id: randomUUID(),
  to: 'ana@empresa.com.br',
  subject: 'Quitação confirmada',
  text: 'Olá, Ana! Obrigado.',
  context: { clientId: 'c', debtId: 'd', purpose: 'receipt', at: new Date() },
  ...change,
});

describe('SMTP mailer', () => {
  it('delivers text, HTML and document, with accents', async () => {
    const { received, mailer } = await smtpServer();
    const content = new Uint8Array([37, 80, 68, 70, 0, 255]);
    const document = {
      filename: 'termo-de-quitação.pdf',
      contentType: 'application/pdf',
      content,
      url: 'https://x.example/r',
    };
    const sent = mail({ html: '<p>Olá</p>', document });
    await mailer.send(sent);
    const parsed = await PostalMime.parse(received[0] ?? '');
    expect(parsed).toMatchObject({
      subject: 'Quitação confirmada',
      messageId: `<${sent.id}@quita.example>`,
      from: { name: 'Quita', address: 'nao-responda@quita.example' },
      to: [{ address: 'ana@empresa.com.br' }],
    });
    expect(parsed.text?.trim()).toBe('Olá, Ana! Obrigado.');
    expect(parsed.html?.trim()).toBe('<p>Olá</p>');
    expect(parsed.attachments[0]).toMatchObject({ filename: 'termo-de-quitação.pdf', mimeType: 'application/pdf' });
    expect(new Uint8Array(parsed.attachments[0]?.content as ArrayBuffer)).toEqual(content);
  });

  it.each([['a@b.c, d@e.f'], ['a@b.c\r\nBcc: d@e.f'], ['Ana <a@b.c>'], [''], ['ana']])(
    'refuses the address %p',
    async (to) => {
      const { received, mailer } = await smtpServer();
      await expect(mailer.send(mail({ to }))).rejects.toMatchObject({ kind: 'rejected' });
      expect(received).toEqual([]);
    },
  );

  it('sends in the name of another, with addresses of its own for bounces and answers', async () => {
    const envelopes: string[] = [];
    const { received, mailer } = await smtpServer({
      onMailFrom({ address }, _session, done) {
        envelopes.push(address);
        done();
      },
    });
    await mailer.send(
      mail({
        fromName: 'Água, "Luz" <x@y.z>',
        replyTo: 'reply+1@quita.example',
        returnPath: 'bounce+1@quita.example',
        messageId: 'id.1@quita.example',
        headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
      }),
    );
    expect(envelopes).toEqual(['bounce+1@quita.example']);
    expect(received[0]).toContain('\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n');
    expect(await PostalMime.parse(received[0] ?? '')).toMatchObject({
      messageId: '<id.1@quita.example>',
      from: { name: 'Água, "Luz" <x@y.z>', address: 'nao-responda@quita.example' },
      replyTo: [{ address: 'reply+1@quita.example' }],
      to: [{ address: 'ana@empresa.com.br' }],
    });
  });

  it('asks the server whether it accepts the login, without sending a mail', async () => {
    const { received, mailer } = await smtpServer();
    await mailer.check();
    expect(received).toEqual([]);
    await expect(mailerAt('smtp://127.0.0.1:1').check()).rejects.toMatchObject({ kind: 'retryable' });
  });

  it('does not allow a subject to add a header', async () => {
    const { received, mailer } = await smtpServer();
    await mailer.send(mail({ subject: 'A\r\nBcc: d@e.f' }));
    expect((await PostalMime.parse(received[0] ?? '')).bcc ?? []).toEqual([]);
  });

  it.each([
    [550, 'rejected'],
    [450, 'retryable'],
  ])('maps the status %p for the recipient to the kind %s', async (status, kind) => {
    const { mailer } = await smtpServer({ onRcptTo: (_address, _session, done) => done(refusal(status)) });
    await expect(mailer.send(mail())).rejects.toMatchObject({ kind, smtpStatus: status, stage: 'recipient' });
  });

  it.each([
    [550, 'rejected'],
    [530, 'unauthorized'],
    [421, 'retryable'],
  ])('maps the status %p for the sender to the kind %s', async (status, kind) => {
    const { mailer } = await smtpServer({ onMailFrom: (_address, _session, done) => done(refusal(status)) });
    await expect(mailer.send(mail())).rejects.toMatchObject({ kind, smtpStatus: status, stage: 'sender' });
  });

  it('passes on the enhanced status and no text of the server', async () => {
    const refused = Object.assign(new Error('5.1.1 <ana@empresa.com.br> unknown'), { responseCode: 550 });
    const { mailer } = await smtpServer({ onRcptTo: (_address, _session, done) => done(refused) });
    const error = await mailer.send(mail()).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ enhancedStatus: '5.1.1', message: 'SMTP: EENVELOPE 550 5.1.1' });
  });

  it.each([
    [554, 'rejected'],
    [451, 'retryable'],
  ])('maps the status %p for the message to the kind %s', async (status, kind) => {
    const { mailer } = await smtpServer({
      onData: (stream, _session, done) => void text(stream).then(() => done(refusal(status))),
    });
    await expect(mailer.send(mail())).rejects.toMatchObject({ kind, smtpStatus: status, stage: 'content' });
  });

  it('reports a refused login as `unauthorized`, without the login', async () => {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(refusal(535)),
    });
    const port = await listen(server);
    stops.push(() => new Promise((resolve) => server.close(() => resolve())));
    const error = await mailerAt(`smtp://user:very-secret@127.0.0.1:${port}`)
      .send(mail())
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'unauthorized' });
    expect(String(error)).not.toMatch(/very-secret|ana@/);
  });

  it('reports a server that is down or never greets as `retryable`', async () => {
    await expect(mailerAt('smtp://127.0.0.1:1').send(mail())).rejects.toMatchObject({ kind: 'retryable' });
    const silent = createServer();
    const port = await listen(silent);
    const sockets: Socket[] = [];
    silent.on('connection', (socket) => sockets.push(socket.on('error', () => {})));
    stops.push(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => silent.close(resolve));
    });
    await expect(mailerAt(`smtp://127.0.0.1:${port}`, 300, 5_000).send(mail())).rejects.toMatchObject({
      kind: 'retryable',
    });
  });

  it.each([
    ['closes the connection', 5_000, (socket: Socket) => void socket.destroy()],
    ['does not answer', 1_000, () => {}],
  ])('reports an unknown outcome when the server %s after the message', async (_what, timeoutMs, end) => {
    let inData = false;
    const mailer = await rawServer(timeoutMs, (line, socket) => {
      if (inData) return void (line === '.' && end(socket));
      inData = line === 'DATA';
      return inData ? '354 go on' : '250 ok';
    });
    await expect(mailer.send(mail())).rejects.toMatchObject({ kind: 'unknown_outcome' });
  });
});
