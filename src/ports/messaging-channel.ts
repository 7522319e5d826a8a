/** The channel for messages to and from debtors. Its interface follows WhatsApp, which has the strictest rules. */
import type { MessagePurpose } from '../domain/message-purposes.ts';
import type { OutgoingContext, OutgoingDocument } from './outgoing.ts';

export const MESSAGING_CHANNELS = ['sandbox', 'whatsapp'] as const;
export type MessagingChannelName = (typeof MESSAGING_CHANNELS)[number];

export const MAX_TEXT_LENGTH = 4_096;

export interface ChannelCredentials {
  readonly accessToken: string;
  /** The channel's id of the sender. */
  readonly senderId: string;
}

export interface ChannelCapabilities {
  /** How long after the debtor's last message free text is allowed instead of a template; `null` when always. */
  readonly freeTextWindowMs: number | null;
  readonly templates: boolean;
  readonly documents: boolean;
  /** Whether the channel reports states after `sent`. */
  readonly deliveryStates: boolean;
}

export interface ChannelTemplate {
  readonly name: string;
  readonly language: 'pt_BR';
  /** In the order of the template's placeholders. */
  readonly parameters: readonly string[];
}

export interface Recipient {
  /** E.164. */
  readonly phone: string;
  /** The channel's id of the person, once it has sent one: its later events may contain no phone number. */
  readonly channelUserId?: string;
}

export interface OutgoingMessage {
  /** The service's own UUID, which delivery states repeat where the channel allows it. */
  readonly id: string;
  readonly to: Recipient;
  /** Exactly what the debtor reads, also when a template is used. */
  readonly text: string;
  /** Required when free text is not allowed at the moment. */
  readonly template?: ChannelTemplate;
  readonly document?: OutgoingDocument;
  readonly context: OutgoingContext & { readonly purpose: MessagePurpose };
  /** The client's own credentials; `null` for the sandbox, which needs none. */
  readonly credentials: ChannelCredentials | null;
}

export interface SentMessage {
  /** The channel's id of the message; delivery states refer to it. */
  readonly channelMessageId: string;
  readonly channelUserId: string | null;
}

export interface MessagingChannel {
  readonly name: MessagingChannelName;
  readonly capabilities: ChannelCapabilities;
  /**
   * Resolves once the channel has accepted the message, before it is delivered. Only the caller may repeat an attempt.
   */
  send(message: OutgoingMessage): Promise<SentMessage>;
  /** Throws `unauthorized` when the channel refuses the credentials. */
  checkCredentials(credentials: ChannelCredentials | null): Promise<void>;
}

/**
 * With every kind except `unknown_outcome` the message was certainly not sent.
 * - `retryable`: a later attempt may succeed, at the earliest after `retryAfterSeconds`.
 * - `window_closed`: free text is not allowed now, but a template is.
 * - `undeliverable`: the channel cannot reach this person.
 * - `rejected`: the channel refuses the content or its template.
 * - `suspended`: the sender may not send at the moment (quality, payment, policy); an operator has to act.
 * - `unauthorized`: the credentials are wrong; an operator has to act.
 * - `unknown_outcome`: the message may have been sent, so it is never repeated.
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
  /** Whether the wait concerns this recipient only, or every message of this sender. */
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
