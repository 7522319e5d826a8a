import { isRealChannel } from '../../kernel/messaging-channels.ts';
import type { CollectionDeps } from '../../modules/collection/deps.ts';
import {
  type ChannelCredentialStore,
  createChannelCredentials,
} from '../../modules/messaging/use-cases/channel-credentials.ts';
import type { SenderSources } from '../../modules/messaging/use-cases/senders-of.ts';
import { createAesGcmCipher } from '../../platform/adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { addressOf } from '../../platform/mail/mailbox.ts';
import { configuredCredentials, type RealChannels } from './channels.ts';

export const composeChannelCredentials = (config: Config, db: Database): ChannelCredentialStore =>
  createChannelCredentials(db, createAesGcmCipher(config.encryptionKey));

export const composeSenderSources = (
  config: Config,
  channels: RealChannels,
  credentials: ChannelCredentialStore,
): SenderSources => ({
  usedChannels: config.messagingChannels,
  channels,
  credentials,
  configured: config.singleClient ? (channel) => configuredCredentials(config, channel) : null,
  fromAddress: config.mailFrom === undefined ? null : addressOf(config.mailFrom),
});

/** What reading a debtor's files needs. The deployment's own sender has no stored credentials. */
export const composeFiles = (
  config: Config,
  channels: RealChannels,
  credentials: ChannelCredentialStore,
): CollectionDeps['files'] => ({
  channelOf: (name) => (isRealChannel(name) ? channels[name] : undefined),
  credentialsOf: async (clientId, channel, senderId) => {
    if (!config.singleClient) return credentials.ofSender(clientId, channel, senderId);
    const own = configuredCredentials(config, channel);
    return own?.senderId === senderId ? own : null;
  },
  cipher: createAesGcmCipher(config.encryptionKey),
});
