import type { ChannelCredentials, MessagingChannel } from '../../ports/messaging-channel.ts';
import type { SharedDeps } from '../shared/deps.ts';

/** The channel and credentials by which a client's messages are sent, either in the sandbox or to real people. */
export interface Sender {
  readonly channel: MessagingChannel;
  readonly credentials: ChannelCredentials | null;
  /** The sending number, when several clients may share it. */
  readonly number: string | null;
}

export interface MessagingDeps extends SharedDeps {
  readonly senderOf: (debt: { readonly clientId: string; readonly sandbox: boolean }) => Promise<Sender>;
}
