import { createAesGcmCipher } from '../adapters/credential-cipher/aes-gcm/aes-gcm-cipher.ts';
import { addressOf } from '../adapters/mail/mailbox.ts';
import type { Config } from '../config/index.ts';
import type { Database } from '../db/database.ts';
import { isRealChannel, type RealChannel } from '../domain/messaging-channels.ts';
import type { ChannelCredentials, MessagingChannel } from '../ports/messaging-channel.ts';
import type { CollectionDeps } from '../services/collection/deps.ts';
import { type ChannelCredentialStore, createChannelCredentials } from '../services/messaging/channel-credentials.ts';
import type { MessagingDeps, Sender } from '../services/messaging/deps.ts';
import { configuredCredentials, type RealChannels } from './channels.ts';

export const composeChannelCredentials = (config: Config, db: Database): ChannelCredentialStore =>
  createChannelCredentials(db, createAesGcmCipher(config.encryptionKey));

/** Finds the senders of a client that reach real people. */
export function composeRealSenders(
  config: Config,
  channels: RealChannels,
  credentials: ChannelCredentialStore,
): MessagingDeps['sendersOf'] {
  const fromAddress = config.mailFrom === undefined ? null : addressOf(config.mailFrom);
  const senderOf = (name: RealChannel, channel: MessagingChannel, own: ChannelCredentials | null): Sender | null => {
    if (own === null) return null;
    // The deployment itself sends e-mails, for each client that has agreed to it.
    if (name === 'email') return { channel, credentials: null, id: fromAddress, number: null };
    return { channel, credentials: own, id: own.senderId, number: own.senderId };
  };
  return async (em, { clientId, channels: chosen }) => {
    const own = config.singleClient ? null : await credentials.ofClient(em, clientId);
    return (chosen ?? config.messagingChannels).flatMap((name) => {
      const channel = channels[name];
      if (channel === undefined) return [];
      const given = own === null ? configuredCredentials(config, name) : (own.get(name) ?? null);
      return senderOf(name, channel, given) ?? [];
    });
  };
}

/**
 * Finds the senders of a client. A sandbox debt is never sent to a real channel, and a deployment without real channels
 * has the sandbox only.
 */
export function composeSenders(
  config: Config,
  channels: RealChannels,
  credentials: ChannelCredentialStore,
  sandbox: Sender,
): MessagingDeps['sendersOf'] {
  const realSenders = composeRealSenders(config, channels, credentials);
  return async (em, owner) =>
    owner.sandbox || config.messagingChannels.length === 0 ? [sandbox] : realSenders(em, owner);
}

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
