/** The way a debtor is written to, and writes back. Shaped for WhatsApp, which has the strictest rules. */
import type { OutgoingContext, OutgoingDocument } from './outgoing.ts';

export const MESSAGING_CHANNELS = ['sandbox', 'whatsapp'] as const;
export type MessagingChannelName = (typeof MESSAGING_CHANNELS)[number];

export const MESSAGE_PURPOSES = ['collection', 'reply', 'receipt', 'opt_out_confirmation'] as const;
export type MessagePurpose = (typeof MESSAGE_PURPOSES)[number];

export const MAX_TEXT_LENGTH = 4_096;

export interface ChannelCredentials {
  readonly accessToken: string;
  /** The sender, as the channel numbers it. */
  readonly senderId: string;
}

export interface ChannelCapabilities {
  /** Free text only so long after the debtor's last message, a template otherwise; `null`: free text always. */
  readonly freeTextWindowMs: number | null;
  readonly templates: boolean;
  readonly documents: boolean;
  /** Whether states after `sent` are ever told. */
  readonly deliveryStates: boolean;
}

export interface MessageTemplate {
  readonly name: string;
  readonly language: 'pt_BR';
  /** In the order of the template's placeholders. */
  readonly parameters: readonly string[];
}

export interface Recipient {
  /** E.164. */
  readonly phone: string;
  /** The channel's own id of the person, once it has told one: a phone number may be absent from what it tells later. */
  readonly channelUserId?: string;
}

export interface OutgoingMessage {
  /** A UUID of ours; comes back with delivery states where the channel allows it. */
  readonly id: string;
  readonly to: Recipient;
  /** Exactly what the debtor reads, with a template too. */
  readonly text: string;
  /** Must be given where free text is not allowed now. */
  readonly template?: MessageTemplate;
  readonly document?: OutgoingDocument;
  readonly context: OutgoingContext & { readonly purpose: MessagePurpose };
  /** The client's own; `null` for the sandbox, which needs none. */
  readonly credentials: ChannelCredentials | null;
}

export interface SentMessage {
  /** The channel's id of the message, by which delivery states refer to it. */
  readonly channelMessageId: string;
  readonly channelUserId: string | null;
}

export type DeliveryState = 'sent' | 'delivered' | 'read' | 'failed' | 'unknown';

/** May arrive twice, in any order, and with steps missing: `read` implies `delivered`. */
export interface DeliveryUpdate {
  readonly kind: 'delivery';
  readonly channelMessageId: string;
  readonly state: Exclude<DeliveryState, 'unknown'>;
  readonly at: Date;
  readonly failure: MessagingErrorKind | null;
}

export interface InboundMessage {
  readonly kind: 'message';
  /** The same for a repeated delivery of the same message. */
  readonly channelMessageId: string;
  readonly senderId: string;
  /** E.164 with the ninth digit; `null` when the channel hides it. */
  readonly fromPhone: string | null;
  readonly fromChannelUserId: string | null;
  /** `null` for what carries no text (picture, voice): a person has to look. */
  readonly text: string | null;
  readonly replyToChannelMessageId: string | null;
  readonly at: Date;
}

export type ChannelEvent = DeliveryUpdate | InboundMessage;

export interface MessagingChannel {
  readonly name: MessagingChannelName;
  readonly capabilities: ChannelCapabilities;
  /** Resolves once the channel has taken it, which does not mean delivered. Tried once: only the caller may repeat. */
  send(message: OutgoingMessage): Promise<SentMessage>;
  /** Throws `unauthorized` when the channel does not take them. */
  checkCredentials(credentials: ChannelCredentials | null): Promise<void>;
}

/**
 * Everything but `unknown_outcome` was surely not sent.
 * - `retryable`: later may work, at the earliest after `retryAfterSeconds`.
 * - `window_closed`: free text is not allowed now; a template is.
 * - `undeliverable`: this person cannot be reached by this channel.
 * - `rejected`: the content or its template is refused.
 * - `suspended`: the sender may not send for now (quality, payment, policy); an operator has to act.
 * - `unauthorized`: the credentials are wrong; an operator has to act.
 * - `unknown_outcome`: it may have been sent, and is never repeated.
 */
export type MessagingErrorKind =
  | 'retryable'
  | 'window_closed'
  | 'undeliverable'
  | 'rejected'
  | 'suspended'
  | 'unauthorized'
  | 'unknown_outcome';

export interface MessagingErrorOptions {
  readonly retryAfterSeconds?: number;
  /** Whom the wait concerns: this recipient alone, or everything this sender sends. */
  readonly scope?: 'recipient' | 'sender';
  readonly channelCode?: string;
}

export class MessagingError extends Error {
  readonly kind: MessagingErrorKind;
  readonly retryAfterSeconds: number | undefined;
  readonly scope: 'recipient' | 'sender';
  readonly channelCode: string | undefined;

  constructor(kind: MessagingErrorKind, message: string, options: MessagingErrorOptions = {}) {
    super(message);
    this.name = 'MessagingError';
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.scope = options.scope ?? 'recipient';
    this.channelCode = options.channelCode;
  }

  get surelyNotSent(): boolean {
    return this.kind !== 'unknown_outcome';
  }
}
