/** What a channel posts to the service: messages of debtors, delivery states, and news about the sender itself. */
import type { AttachmentKind } from '../../debts/rules/attachment-kinds.ts';
import type { Intent } from '../../debts/rules/intents.ts';
import type { ReportedPrice } from '../rules/counted-kinds.ts';
import type { CategoryNews, TemplateState } from '../rules/template-states.ts';
import type { MessagingChannelName, MessagingErrorKind, SenderQuality } from './messaging-channel.ts';

/** A request as it came. Signatures are made over the raw bytes, and some over the address too. */
export interface ChannelRequest {
  /** The address as the channel called it: `PUBLIC_URL`, path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

export interface ReceivedAttachment {
  readonly kind: AttachmentKind;
  /** By which `MessagingChannel.readAttachment` reads it; null when the channel sends no content. */
  readonly attachmentId: string | null;
  readonly contentType: string | null;
  readonly filename: string | null;
}

/** Unknown members and unknown kinds of events are ignored, because channels add some without notice. */
export type ChannelEvent =
  | {
      readonly kind: 'message';
      /** The sender of the client that received the message, as in `ChannelCredentials.senderId`. */
      readonly senderId: string;
      readonly channelMessageId: string;
      /** As the channel writes it, with or without the ninth digit; null when the channel tells only its own id. */
      readonly fromPhone: string | null;
      readonly fromEmail: string | null;
      readonly channelUserId: string | null;
      /** Empty for an attachment without a text. It may be longer than a message can be. */
      readonly text: string;
      /** The intent of the button that the debtor pressed. */
      readonly button: Intent | null;
      readonly attachment: ReceivedAttachment | null;
      /**
       * Set for a contact card. `phone` is the only phone of the only card by which the person answers our request for it;
       * null for every other card. The sender of a card chooses what stands in it.
       */
      readonly card?: { readonly phone: string | null };
      /** When the person wrote, by the channel's own clock, where the channel tells it. */
      readonly at?: Date;
      /** The message of the service that this one answers, where the channel tells it. */
      readonly inReplyTo: string | null;
    }
  | {
      readonly kind: 'delivery';
      readonly senderId: string | null;
      readonly channelMessageId: string;
      /** The service's own id of the message, where the channel repeats it. */
      readonly messageId: string | null;
      readonly delivery: 'sent' | 'delivered' | 'read' | 'failed';
      readonly channelUserId: string | null;
      /** Why it failed, as an error of the port. */
      readonly failure: { readonly kind: MessagingErrorKind; readonly channelCode: string } | null;
      /** When it came so far by the channel's own clock, where the channel tells it. */
      readonly at?: Date;
      /** What the channel says of its price, where it does. */
      readonly price?: ReportedPrice;
    }
  /** The person asked the channel itself for silence, for example by the word STOP or a button of the mail program. */
  | {
      readonly kind: 'opt_out';
      readonly senderId: string;
      readonly channelMessageId: string;
      readonly fromPhone: string | null;
      readonly fromEmail: string | null;
      /** The channel's id of the person, who may have no known phone number. */
      readonly channelUserId?: string;
      /** As in a message. A complaint about an e-mail often hides who complains, and names only the e-mail. */
      readonly inReplyTo?: string;
    }
  | {
      readonly kind: 'template';
      readonly accountId: string;
      readonly name: string;
      readonly state: TemplateState;
      readonly reason: string | null;
    }
  /**
   * The person has another number now, and with it another id of the channel. The phone is the one before; the new one is
   * known when the channel may tell it.
   */
  | {
      readonly kind: 'person_moved';
      readonly senderId: string;
      readonly fromUserId: string | null;
      readonly toUserId: string | null;
      readonly fromPhone: string | null;
      readonly toPhone: string | null;
      /** When the channel says so; null when it does not tell. */
      readonly at: Date | null;
    }
  /** The channel has moved a template to another category, or will. */
  | ({ readonly kind: 'template_category'; readonly accountId: string; readonly name: string } & CategoryNews)
  /**
   * The channel rates the sender, or has changed how many people it may reach in 24 hours. When both are null, something
   * has changed that only `checkCredentials` tells.
   */
  | {
      readonly kind: 'sender';
      readonly senderId: string | null;
      readonly accountId: string | null;
      readonly quality: SenderQuality | null;
      readonly peoplePerDay: number | null;
    };

export interface ChannelWebhook {
  readonly channel: MessagingChannelName;
  /** Tells by the head whether the signature can be right, so that the body of no other request is read. */
  mayBeSigned(headers: ChannelRequest['headers']): boolean;
  /**
   * Returns the senders and accounts that the body names, so that the secrets of their clients can be found. Nothing else
   * of the body is believed before `verify`. Anybody may have sent the body, so this keeps the process from nothing.
   */
  senders(request: ChannelRequest): readonly string[] | Promise<readonly string[]>;
  /** Compares the signature in constant time with that of each secret. */
  verify(request: ChannelRequest, secrets: readonly string[]): boolean;
  /**
   * Throws `ChannelBodyError` when the body is not readable, and `unavailable` when it could not be read now. A malformed
   * element does not spoil the others. Whole e-mails are read in a thread, so the result may be a promise.
   */
  read(request: ChannelRequest): readonly ChannelEvent[] | Promise<readonly ChannelEvent[]>;
}

export class ChannelBodyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ChannelBodyError';
  }
}
