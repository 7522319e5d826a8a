import type { Connection } from '../../domain/launch-needs.ts';
import type { RealChannel } from '../../domain/messaging-channels.ts';
import type { CollectionAgent, WordingGuard } from '../../ports/collection-agent.ts';
import type { CredentialCipher } from '../../ports/credential-cipher.ts';
import type { ChannelCredentials, MessagingChannel } from '../../ports/messaging-channel.ts';
import type { MessagingDeps } from '../messaging/deps.ts';
import type { PaymentDeps } from '../payments/deps.ts';

/** What reading a debtor's files, and marking messages as read, needs of their channels. */
export interface FileDeps {
  readonly channelOf: (name: string) => MessagingChannel | undefined;
  /** Returns the credentials of a sender that is connected, or was, or null. */
  readonly credentialsOf: (
    clientId: string,
    channel: RealChannel,
    senderId: string,
  ) => Promise<ChannelCredentials | null>;
  readonly cipher: CredentialCipher;
}

export interface CollectionDeps extends MessagingDeps {
  readonly agent: CollectionAgent;
  readonly wordingGuard: WordingGuard;
  readonly payments: PaymentDeps;
  /** The channels of the deployment that reach real people, in the order in which they are tried. */
  readonly usedChannels: readonly RealChannel[];
  /** How many first contacts are planned for each second after an opening, over all campaigns. */
  readonly contactsPerSecond: number;
  readonly files: FileDeps;
  /** Lists what a client still has to connect before real people can be contacted and can pay. */
  readonly missingConnections: (clientId: string) => Promise<readonly Connection[]>;
}
