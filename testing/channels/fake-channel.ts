import type { ChannelRequest } from '../../src/modules/messaging/ports/channel-webhook.ts';
import type { ChannelCredentials, MessagingErrorKind } from '../../src/modules/messaging/ports/messaging-channel.ts';

/** What a channel may do to the next call of its API. The fake does it as the channel's documentation says. */
export const BAD_DAYS = [
  /** The sender sends too fast, and the answer names no wait. */
  'throttled',
  'throttled_with_retry_after',
  /** This recipient gets too much. */
  'recipient_throttled',
  'server_error',
  /** The connection ends, or no answer comes, after the channel has taken the message. */
  'no_answer',
  'server_error_after_taking',
  'malformed_answer',
  'wrong_token',
  'no_permission',
  'unreachable_recipient',
  'refused_content',
  /** The account has no balance, or the channel has blocked it. */
  'suspended',
  /** The channel does not listen at all. */
  'refused_connection',
] as const;
export type BadDay = (typeof BAD_DAYS)[number];

export interface TakenMessage {
  readonly channelMessageId: string;
  readonly to: string;
  readonly text: string;
}

/** A local server that plays a channel, for the suite that all adapters pass and for tours through the whole product. */
export interface FakeChannel {
  readonly baseUrl: string;
  readonly credentials: ChannelCredentials | null;
  /** The messages that the channel has taken, in order, also those that it did not answer for. */
  readonly taken: readonly TakenMessage[];
  /** The next call goes wrong in this way. Several wait in line. */
  next(...days: readonly BadDay[]): void;
  /** A signed request with a delivery state, as the channel would post it to `url`. */
  deliveryRequest(url: string, message: TakenMessage, delivery: 'delivered' | 'read' | 'failed'): ChannelRequest;
  /** A signed request with a message from the debtor. */
  messageRequest(
    url: string,
    message: { readonly id: string; readonly from: string; readonly text: string },
  ): ChannelRequest;
  close(): Promise<void>;
}

/** The bad days that a channel does not know stay out of its suite; each needs its reason where it is left out. */
export type Expected = Readonly<Partial<Record<BadDay, MessagingErrorKind>>>;
