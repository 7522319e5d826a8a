import { randomUUID } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Mailer } from '../../src/kernel/ports/mailer.ts';
import { createTextHashes } from '../../src/modules/genuine/use-cases/text-hashes.ts';
import { createSandboxChannel } from '../../src/modules/messaging/adapters/sandbox/sandbox-channel.ts';
import type { MessagingChannel, OutgoingMessage } from '../../src/modules/messaging/ports/messaging-channel.ts';
import type { Sender } from '../../src/modules/messaging/use-cases/deps.ts';
import { createReceiptLinks } from '../../src/modules/messaging/use-cases/receipt-links.ts';
import { loadPolicy } from '../../src/modules/policy/use-cases/load-policy.ts';
import { createThreadRenderer } from '../../src/modules/receipts/adapters/receipt-renderer/threads/renderer.ts';
import { deliverReceipt } from '../../src/modules/receipts/use-cases/deliver-receipt.ts';
import type { DeliveryDeps } from '../../src/modules/receipts/use-cases/deps.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createSmtpMailer } from '../../src/platform/mail/smtp/smtp-mailer.ts';
import { createPersonKeys } from '../../src/platform/shared/person-keys.ts';
import { createCollectionWorkflows } from '../../src/platform/temporal/collection-workflows.ts';
import type { App } from '../../testing/app.ts';
import { withoutKnown } from '../../testing/engine.ts';
import { memorySandboxOutbox } from '../../testing/memory-sandbox-store.ts';
import type { PaidDebt } from '../../testing/receipts-harness.ts';

const REACHES = { whatsapp: 'phone', email: 'email' } as const;

/** The receipts part of a worker, with a clock, a channel and a mail server that the test controls. */
export async function openPostOffice(app: App, clientId: string) {
  const db = await openDatabase({ url: app.database.url, role: 'quita_worker', poolSize: 5 });
  const renderer = createThreadRenderer({ threads: 1 });
  const sent: OutgoingMessage[] = [];
  let now = Date.parse('2026-11-25T13:00:00Z');
  let mailer: Mailer | null = null;
  let fails: () => Error | null | Promise<Error | null> = () => null;
  const channel: MessagingChannel = {
    name: 'sandbox',
    capabilities: { ...createSandboxChannel(memorySandboxOutbox()).capabilities, deliveryStates: true },
    async send(message) {
      const failure = await fails();
      if (failure !== null) throw failure;
      sent.push(message);
      return { channelMessageId: randomUUID(), channelUserId: null };
    },
    checkCredentials: async () => ({ shownAs: 'sandbox', peoplePerDay: null }),
  };
  let senders: readonly Sender[] = [{ channel, credentials: null, id: null, number: '+5511900000000' }];
  const deps: DeliveryDeps = {
    db,
    now: () => new Date(now),
    receiptLinks: createReceiptLinks({ secrets: ['receipt_secret-of-the-tests'], publicUrl: 'https://q.example' }),
    renderer,
    policy: loadPolicy(),
    workflows: createCollectionWorkflows({ sandboxMaxWaitMs: 1_000 }),
    publicUrl: 'https://q.example',
    personKeys: createPersonKeys('person'),
    textHashes: createTextHashes(['texts']),
    sendersOf: async () => senders,
    note: () => {},
    mailerOf: () => mailer,
  };
  return {
    deps,
    sent,
    at: () => now,
    goTo: (moment: number) => {
      now = moment;
    },
    /** Connects real senders, which behave as the simulated one; `email` is one that reaches no phone. */
    connect: (...names: readonly ('whatsapp' | 'email')[]) => {
      senders = names.map((name) => ({
        channel: {
          ...channel,
          name,
          capabilities: { ...channel.capabilities, reaches: REACHES[name], policyChannel: name },
        },
        credentials: null,
        id: `sender-${name}`,
        number: null,
      }));
    },
    post: (next: Mailer | null) => {
      mailer = next;
    },
    failWith: (next: typeof fails) => {
      fails = next;
    },
    deliver: async ({ debtId }: PaidDebt) =>
      withoutKnown(await deliverReceipt(deps)({ clientId, debtId, clock: { at: now, offsetMs: 0, exact: false } })),
    async close() {
      await renderer.close();
      await db.close();
    },
  };
}

const listen = (server: SMTPServer | Server): Promise<number> =>
  new Promise((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => {
      const address = listening.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });

export const smtpMailer = (port: number, silenceTimeoutMs = 5_000): Mailer =>
  createSmtpMailer({
    url: `smtp://127.0.0.1:${port}`,
    from: 'Quita <nao-responda@quita.example>',
    connectTimeoutMs: 5_000,
    silenceTimeoutMs,
  });

export interface PostServer {
  readonly port: number;
  readonly received: string[];
  stop(): Promise<void>;
}

/** Starts a real SMTP server. */
export async function startSmtp(options: SMTPServerOptions = {}): Promise<PostServer> {
  const received: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, _session, done) => void text(stream).then((raw) => done(null, void received.push(raw) as never)),
    ...options,
  });
  server.on('error', () => {});
  const port = await listen(server);
  return { port, received, stop: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** A server that receives the bytes of a mail and never confirms them. */
export async function startSilentSmtp(): Promise<PostServer> {
  const sockets = new Set<Socket>();
  const received: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    let inData = false;
    socket.on('error', () => {});
    socket.write('220 slow ESMTP\r\n');
    socket.on('data', (chunk) => {
      const line = chunk.toString();
      if (inData) received.push(line);
      else if (line.startsWith('DATA')) {
        inData = true;
        socket.write('354 go ahead\r\n');
      } else socket.write('250 ok\r\n');
    });
  });
  const port = await listen(server);
  return {
    port,
    received,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The port of tcpmux, on which no program listens. */
export const DEAD_PORT = 1;
