import type { RealChannel } from '../../../kernel/messaging-channels.ts';

/** The credentials of one sender of a client. The sandbox and e-mail, which the deployment sends, need none. */
export interface ChannelCredentials {
  /** The sender as the channel names it: WhatsApp's phone number id, the number or word that an SMS comes from. */
  readonly senderId: string;
  /** The account at the channel: WhatsApp's business account, Twilio's account SID. Null where the channel has none. */
  readonly accountId: string | null;
  /** The secret by which the service calls the channel. */
  readonly accessToken: string;
  /** The secret by which the channel signs what it posts to the service. */
  readonly webhookSecret: string | null;
}

/** What a company gives to connect a sender. The deployment itself sends e-mails, so that one needs nothing. */
export type GivenSender =
  | ({ readonly channel: Exclude<RealChannel, 'email'> } & ChannelCredentials)
  | { readonly channel: 'email' };

/** The fields of each form that hold the sender and its secret, at which a refusal of the channel is told. */
export const FIELDS_OF_SENDER: Readonly<Record<RealChannel, { readonly sender: string; readonly secret: string }>> = {
  whatsapp: { sender: 'businessAccountId', secret: 'accessToken' },
  twilio: { secret: 'authToken', sender: 'from' },
  zenvia: { secret: 'token', sender: 'from' },
  email: { sender: 'channel', secret: 'channel' },
};
