import type { RealChannel } from '../../kernel/messaging-channels.ts';
import type { CollectionDeps } from '../../modules/collection/deps.ts';
import { createEmailWebhook } from '../../modules/messaging/adapters/email/email-webhook.ts';
import type { MailReader } from '../../modules/messaging/adapters/email/threads/mail-reader.ts';
import { twilioWebhook } from '../../modules/messaging/adapters/twilio/twilio-webhook.ts';
import { answerToSubscription, whatsAppWebhook } from '../../modules/messaging/adapters/whatsapp/whatsapp-webhook.ts';
import { zenviaWebhook } from '../../modules/messaging/adapters/zenvia/zenvia-webhook.ts';
import type { ChannelWebhook } from '../../modules/messaging/ports/channel-webhook.ts';
import type { ChannelWebhooks } from '../../modules/messaging/use-cases/channel-event-deps.ts';
import { createUnsubscribeLinks } from '../../modules/messaging/use-cases/unsubscribe.ts';
import { createAesGcmCipher } from '../../platform/adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import type { Config } from '../../platform/config/index.ts';
import { addressOf } from '../../platform/mail/mailbox.ts';
import type { ApiDeps } from '../services/api.ts';
import { composeEmailAddresses } from './channels.ts';
import { composeChannelCredentials } from './senders.ts';

/** Composes what receiving messages and states of channels needs. */
export function composeChannelEvents(
  config: Config,
  collection: CollectionDeps,
  mails: MailReader,
): ApiDeps['channels'] {
  const { db, now, workflows, personKeys, note } = collection;
  const { publicUrl, receiptSecret, whatsappVerifyToken } = config;
  const uses = (channel: RealChannel): boolean => config.messagingChannels.includes(channel);
  return {
    db,
    now,
    workflows,
    personKeys,
    note,
    webhooks: composeWebhooks(config, mails),
    channelCredentials: composeChannelCredentials(config, db),
    ownSecrets: (channel) => ownSecretsOf(config, channel),
    cipher: createAesGcmCipher(config.encryptionKey),
    unsubscribeLinks: uses('email') ? createUnsubscribeLinks({ secrets: receiptSecret, publicUrl }) : null,
    challengeOf:
      uses('whatsapp') && whatsappVerifyToken !== undefined
        ? (query) => answerToSubscription(query, whatsappVerifyToken)
        : null,
  };
}

function composeWebhooks(config: Config, reader: MailReader): ChannelWebhooks {
  // A mail server signs by its own clock, which no `CLOCK_OFFSET` shifts.
  const now = () => new Date();
  const webhooks: Record<RealChannel, () => ChannelWebhook | null> = {
    whatsapp: () => whatsAppWebhook,
    twilio: () => twilioWebhook,
    zenvia: () => zenviaWebhook,
    email: () => {
      const addresses = composeEmailAddresses(config);
      if (addresses === null || config.mailFrom === undefined) return null;
      return createEmailWebhook({ addresses, reader, fromAddress: addressOf(config.mailFrom), now });
    },
  };
  const used = config.messagingChannels.flatMap((name) => {
    const webhook = webhooks[name]();
    return webhook === null ? [] : [[name, webhook] as const];
  });
  return Object.fromEntries(used);
}

/** The deployment's mail server posts all e-mails; other channels sign for the deployment of one company only. */
function ownSecretsOf(config: Config, channel: RealChannel): readonly string[] | null {
  if (channel === 'email') return config.messagingWebhookSecret;
  if (!config.singleClient) return null;
  if (channel !== 'twilio') return config.messagingWebhookSecret;
  return config.twilioAuthToken === undefined ? [] : [config.twilioAuthToken];
}
