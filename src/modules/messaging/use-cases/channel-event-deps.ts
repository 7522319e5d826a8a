import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import type { CredentialCipher } from '../../../kernel/ports/credential-cipher.ts';
import type { SharedDeps } from '../../deps.ts';
import type { ChannelWebhook } from '../ports/channel-webhook.ts';
import type { ChannelCredentialStore } from './channel-credentials.ts';

export type ChannelWebhooks = Readonly<Partial<Record<RealChannel, ChannelWebhook>>>;

export interface ChannelEventDeps extends Pick<SharedDeps, 'db' | 'now' | 'workflows' | 'personKeys' | 'note'> {
  /** Those of the channels that the deployment uses. */
  readonly webhooks: ChannelWebhooks;
  readonly channelCredentials: Pick<ChannelCredentialStore, 'webhookSecrets'>;
  /** The secrets of the deployment itself, where it signs for all of its clients; null where each client has its own. */
  readonly ownSecrets: (channel: RealChannel) => readonly string[] | null;
  /** Seals what is kept of people without a debt. */
  readonly cipher: CredentialCipher;
}

/** The client that receives events, and the channel that they come from. */
export interface ReceivedBy {
  readonly clientId: string;
  readonly channel: RealChannel;
}
