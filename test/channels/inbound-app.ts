/** A deployment with real adapters, before which the fakes of the channels stand. */
import { randomUUID } from 'node:crypto';
import type { RealChannel } from '../../src/kernel/messaging-channels.ts';
import type { ChannelRequest } from '../../src/modules/messaging/ports/channel-webhook.ts';
import type { ChannelCredentials } from '../../src/modules/messaging/ports/messaging-channel.ts';
import { createChannelCredentials } from '../../src/modules/messaging/use-cases/channel-credentials.ts';
import { createAesGcmCipher } from '../../src/platform/adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { type AppOptions, SECRETS } from '../../testing/app.ts';
import { type CampaignsApp, startCampaignsApp, type TestClient } from '../../testing/campaigns-app.ts';
import { debtInput } from '../../testing/debts.ts';

export const PUBLIC_URL = 'https://quita.example.com.br';
export const FROM = 'cobranca@quita.example';
export const VERIFY_TOKEN = 'a-token-for-meta';
export const cipher = createAesGcmCipher([SECRETS['ENCRYPTION_KEY']!]);

export interface InboundApp extends CampaignsApp {
  readonly worker: Database;
  /** Connects a sender of a client, as `quita clients connect` does. */
  connect(clientId: string, channel: RealChannel, credentials: ChannelCredentials): Promise<void>;
  /** Posts to the service as the channel does, and returns the status of the answer. */
  deliver(request: ChannelRequest): Promise<number>;
  newDebtor(client: TestClient, given?: object): Promise<Debtor>;
}

export interface Debtor {
  readonly id: string;
  readonly client: TestClient;
  readonly phone: string;
}

export const pathOf = (channel: RealChannel): string =>
  `/api/messaging/${channel === 'email' ? 'email-events' : channel}`;
export const urlOf = (channel: RealChannel): string => `${PUBLIC_URL}${pathOf(channel)}`;

let nextDebt = 1;

export async function startInboundApp(options: AppOptions = {}): Promise<InboundApp> {
  const app = await startCampaignsApp({
    ...options,
    env: {
      PUBLIC_URL,
      PAYMENT_PROVIDER: 'mercadopago',
      MESSAGING_CHANNEL: 'whatsapp,twilio,zenvia,email',
      WHATSAPP_VERIFY_TOKEN: VERIFY_TOKEN,
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: `Quita <${FROM}>`,
      ...options.env,
    },
  });
  const worker = await openDatabase({ url: app.database.url, role: 'quita_worker', poolSize: 2 });
  const credentialStore = createChannelCredentials(worker, cipher);
  return {
    ...app,
    worker,
    async connect(clientId, channel, credentials) {
      await worker.tenant(clientId).transactional((tx) => credentialStore.store(tx, clientId, channel, credentials));
      const { senderId, accountId } = credentials;
      await app.query(
        `insert into channel_senders (client_id, channel, sender_id, account_id, shown_as) values ($1, $2, $3, $4, $3)
         on conflict do nothing`,
        [clientId, channel, senderId, accountId],
      );
    },
    async deliver({ url, headers, body }) {
      const { pathname, search } = new URL(url);
      return (await app.call('POST', `${pathname}${search}`, { body, headers: headers as Record<string, string> }))
        .status;
    },
    async newDebtor(client, given = {}) {
      const campaignId = await client.createCampaign(`Mensalidades ${randomUUID()}`);
      const input = debtInput(nextDebt++, given);
      const { body } = await client.importJson(campaignId, [input]);
      if (body.imported !== 1) throw new Error(`not imported: ${JSON.stringify(body)}`);
      const list = await client.call('GET', `/api/campaigns/${campaignId}/debts`);
      return { id: list.body.items[0].id, client, phone: input.debtorPhone };
    },
    async close() {
      await worker.close();
      await app.close();
    },
  };
}

export interface StoredMessage {
  readonly id: string;
  readonly debt_id: string;
  readonly text: string;
  readonly phone: string | null;
  readonly button: string | null;
  readonly cut_from: number | null;
  readonly channel_message_id: string;
}

export const receivedOf = (app: InboundApp, clientId: string): Promise<StoredMessage[]> =>
  app.query(`select * from messages where client_id = $1 and direction = 'in' order by created_at, id`, [clientId]);

export const unmatchedOf = (app: InboundApp, clientId: string) =>
  app.query<{ sealed: string; channel_message_id: string }>(
    `select sealed, channel_message_id from unmatched_messages where client_id = $1`,
    [clientId],
  );

export interface SentMessage {
  readonly id: string;
  readonly channelMessageId: string;
}

/** A message of ours that a channel has accepted. */
export async function sentTo(
  app: InboundApp,
  { id: debtId, client, phone }: Debtor,
  channel: RealChannel,
  { delivery = 'sent', sentAt = new Date() } = {},
): Promise<SentMessage> {
  const id = randomUUID();
  const channelMessageId = `sent-${id}`;
  await app.query(
    `insert into messages (id, client_id, debt_id, direction, channel, phone, purpose, text, delivery, channel_message_id,
       at, created_at)
     values ($1, $2, $3, 'out', $4, $5, 'collection', 'Olá', $6, $7, $8, $8)`,
    [id, client.id, debtId, channel, phone, delivery, delivery === 'booked' ? null : channelMessageId, sentAt],
  );
  return { id, channelMessageId };
}

export const deliveryOf = async (app: InboundApp, id: string) =>
  (
    await app.query<{
      delivery: string;
      failure: string | null;
      is_undo_due: boolean;
      channel_message_id: string | null;
    }>('select delivery, failure, is_undo_due, channel_message_id from messages where id = $1', [id])
  )[0];

export const recipientsOf = (app: InboundApp, debtId: string) =>
  app.query<{
    channel: string;
    channel_user_id: string | null;
    reached_at: Date | null;
    unreachable_at: Date | null;
    wrote_at: Date | null;
  }>('select channel, channel_user_id, reached_at, unreachable_at, wrote_at from recipients where debt_id = $1', [
    debtId,
  ]);

export const wakesOf = (app: InboundApp, debtId: string) =>
  app.query<{ signal: string }>(`select signal from outbox where workflow_id like '%' || $1 order by signal`, [debtId]);
