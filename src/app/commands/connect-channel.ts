import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { RealChannel } from '../../kernel/messaging-channels.ts';
import { createZenviaSubscriptions } from '../../modules/messaging/adapters/zenvia/zenvia-subscriptions.ts';
import {
  type ChannelCredentials,
  type CheckedSender,
  MessagingError,
} from '../../modules/messaging/ports/messaging-channel.ts';
import type { ChannelCredentialStore } from '../../modules/messaging/use-cases/channel-credentials.ts';
import { type ChannelToConnect, connectChannel } from '../../modules/messaging/use-cases/connect-channel.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { addressOf } from '../../platform/mail/mailbox.ts';
import { composeChannel, webhookUrlOf } from '../compose/channels.ts';
import { composeChannelCredentials } from '../compose/senders.ts';
import { CHANNEL_TITLES } from './channel-titles.ts';
import { type CredentialForm, readCredentials } from './read-credentials.ts';

const secret = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{1,1024}$/);
const metaId = z
  .string()
  .trim()
  .regex(/^\d{1,32}$/);

const whatsapp = z.object({
  phoneNumberId: metaId,
  businessAccountId: metaId,
  accessToken: secret,
  appSecret: secret,
});
const twilio = z.object({
  accountSid: z
    .string()
    .trim()
    .regex(/^AC[0-9a-fA-F]{32}$/),
  authToken: secret,
  from: z
    .string()
    .trim()
    .regex(/^(?:\+[1-9]\d{7,14}|\d{3,8})$/),
});
const zenvia = z.object({
  token: secret,
  from: z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]{1,64}$/),
  // It is all that protects the address to which Zenvia posts.
  webhookSecret: secret.min(32).nullish(),
});

/** `webhookSecret` is null where the service chooses the secret itself. */
type Form = CredentialForm<ChannelCredentials, string>;

const FORMS: Readonly<Record<Exclude<RealChannel, 'email'>, Form>> = {
  whatsapp: {
    member: 'whatsapp',
    schema: whatsapp.transform(({ phoneNumberId, businessAccountId, accessToken, appSecret }) => ({
      senderId: phoneNumberId,
      accountId: businessAccountId,
      accessToken,
      webhookSecret: appSecret,
    })),
    example:
      '{"whatsapp": {"phoneNumberId": "…", "businessAccountId": "…", "accessToken": "…", "appSecret": "…"}}, both ids in digits',
    questions: {
      phoneNumberId: 'WhatsApp phone number id (digits; not the number)',
      businessAccountId: 'WhatsApp business account id (digits)',
      accessToken: 'Token of the system user',
      appSecret: 'App secret',
    },
  },
  twilio: {
    member: 'twilio',
    schema: twilio.transform(({ accountSid, authToken, from }) => ({
      senderId: from,
      accountId: accountSid,
      accessToken: authToken,
      // Twilio signs what it posts with the same token.
      webhookSecret: authToken,
    })),
    example:
      '{"twilio": {"accountSid": "AC…", "authToken": "…", "from": "+55…"}}, where from is a number with + or a short code',
    questions: {
      accountSid: 'Twilio account SID (AC…)',
      authToken: 'Twilio auth token',
      from: 'Sender: a number of the account with + and country code, or a short code',
    },
  },
  zenvia: {
    member: 'zenvia',
    schema: zenvia.transform(({ token, from, webhookSecret }) => ({
      senderId: from,
      accountId: null,
      accessToken: token,
      webhookSecret: webhookSecret ?? null,
    })),
    example: '{"zenvia": {"token": "…", "from": "…"}}, where from is the sender of the SMS account, without spaces',
    questions: {
      token: 'Zenvia token',
      from: 'Sender of the SMS account',
      webhookSecret: 'Secret of its notifications (empty: one is made)',
    },
  },
};

const readChannelCredentials = (
  channel: Exclude<RealChannel, 'email'>,
  file: string | undefined,
): Promise<ChannelCredentials> => readCredentials(FORMS[channel], file);

/** Connects a client's sender with credentials from a file, or from the terminal, which does not show them. */
export async function connectToChannel(
  db: Database,
  clientId: string,
  name: RealChannel,
  { config, file }: { readonly config: Config; readonly file: string | undefined },
): Promise<string> {
  const to = channelToConnect(config, db, name);
  const store = composeChannelCredentials(config, db);
  const credentials = await credentialsFor(clientId, name, { config, file, store });
  try {
    const connected = await connectChannel({ db, now: () => new Date(), credentials: store })(
      clientId,
      to,
      credentials,
    );
    return linesOf(clientId, name, connected).join('\n');
  } catch (error) {
    if (!(error instanceof MessagingError)) throw error;
    throw new Error(`${CHANNEL_TITLES[name]} does not accept this (${error.message}): nothing was stored`);
  }
}

function channelToConnect(config: Config, db: Database, name: RealChannel): ChannelToConnect {
  const title = CHANNEL_TITLES[name];
  if (!config.messagingChannels.includes(name)) {
    throw new Error(`This deployment does not use ${title}: MESSAGING_CHANNEL must name ${name}`);
  }
  if (config.singleClient) {
    throw new Error(
      `With SINGLE_CLIENT=true the environment names the sender of ${title}: there is nothing to connect`,
    );
  }
  const channel = composeChannel(config, db, name);
  if (channel === null) throw new Error(`${title} needs SMTP_URL and MAIL_FROM`);
  if (name !== 'zenvia') return { name, channel };
  const webhookUrl = webhookUrlOf(config, 'zenvia');
  return { name, channel, subscribe: createZenviaSubscriptions({ baseUrl: config.zenviaBaseUrl, webhookUrl }) };
}

interface Given {
  readonly config: Config;
  readonly file: string | undefined;
  readonly store: ChannelCredentialStore;
}

async function credentialsFor(
  clientId: string,
  name: RealChannel,
  { config, file, store }: Given,
): Promise<ChannelCredentials> {
  if (name === 'email') {
    if (file !== undefined) throw new Error('E-mail needs no credentials of the client, and so no file');
    // The deployment itself sends: what is stored is only that this client uses it.
    return { senderId: addressOf(config.mailFrom ?? ''), accountId: null, accessToken: '', webhookSecret: null };
  }
  const given = await readChannelCredentials(name, file);
  if (given.webhookSecret !== null) return given;
  // A secret that the channel has already stays the same, so that nothing is refused while this command runs.
  const before = await store.ofSender(clientId, name, given.senderId);
  return { ...given, webhookSecret: before?.webhookSecret ?? randomBytes(32).toString('base64url') };
}

function linesOf(
  clientId: string,
  name: RealChannel,
  { shownAs, peoplePerDay, quality = null, replaced }: CheckedSender & { readonly replaced: string | null },
): string[] {
  const reach =
    peoplePerDay === null
      ? 'the channel names no limit of people in 24 hours'
      : `it may reach ${peoplePerDay.toLocaleString('en-US')} people in 24 hours`;
  return [
    `${clientId} is connected to ${CHANNEL_TITLES[name]}: debtors see ${shownAs}, and ${reach}`,
    ...(quality === 'low' ? ['Its quality is low: people complain, so it sends more slowly'] : []),
    ...(quality === 'blocked' ? ['The channel lets it send nothing at the moment'] : []),
    ...(replaced === null ? [] : [`Its sender before, ${replaced}, sends no more and still receives`]),
    ...(name === 'whatsapp' ? [`Next: quita channels templates push ${clientId}`] : []),
  ];
}
