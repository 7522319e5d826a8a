import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import type { ChannelCredentials } from '../ports/messaging-channel.ts';

/** What a company gives to connect a sender. The deployment itself sends e-mails, so that one needs nothing. */
export type GivenSender =
  | ({ readonly channel: Exclude<RealChannel, 'email'> } & ChannelCredentials)
  | { readonly channel: 'email' };

/** The fields of each form that hold the sender and its secret, at which a refusal of the channel is told. */
export const FIELDS_OF_SENDER: Readonly<Record<RealChannel, { readonly sender: string; readonly secret: string }>> = {
  whatsapp: { sender: 'businessAccountId', secret: 'accessToken' },
  twilio: { sender: 'from', secret: 'authToken' },
  zenvia: { sender: 'from', secret: 'token' },
  email: { sender: 'channel', secret: 'channel' },
};
