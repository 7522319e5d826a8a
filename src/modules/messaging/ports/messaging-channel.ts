/** The channels for messages to and from debtors. The interface follows WhatsApp, which has the strictest rules. */

import type { PixKeyType } from '../../../kernel/brcode.ts';
import type { MessagePurpose } from '../../../kernel/message-purposes.ts';
import { REAL_CHANNELS } from '../../../kernel/messaging-channels.ts';
import type { OutgoingContext, OutgoingDocument } from '../../../kernel/ports/outgoing.ts';
import type { Intent } from '../../debts/rules/intents.ts';
import type { Channel } from '../../policy/rules/policy-pack.ts';
import type { ChannelCredentials } from '../rules/given-sender.ts';
import type { MessagingErrorKind, SenderQuality } from '../rules/sender-facts.ts';
import type { TemplateState } from '../rules/template-states.ts';

export type { ChannelCredentials } from '../rules/given-sender.ts';
export { MESSAGING_ERROR_KINDS, type MessagingErrorKind, type SenderQuality } from '../rules/sender-facts.ts';

export const MESSAGING_CHANNELS = ['sandbox', ...REAL_CHANNELS] as const;
export type MessagingChannelName = (typeof MESSAGING_CHANNELS)[number];

export const MAX_TEXT_LENGTH = 4_096;

export interface ChannelCapabilities {
  /** The kind of channel whose rules of the contact policy apply. */
  readonly policyChannel: Channel;
  /** How long after the debtor's last message free text is allowed instead of a template; `null` when always. */
  readonly freeTextWindowMs: number | null;
  readonly templates: boolean;
  readonly documents: boolean;
  /**
   * Whether a message may carry a Pix code that the person copies with one tap. A sender may do so only where its own
   * account allows it.
   */
  readonly pixCodes: boolean;
  /** Whether the channel reports states after `sent`. */
  readonly deliveryStates: boolean;
  /** `short` texts fit into two segments of an SMS; every other channel takes `full` ones. */
  readonly texts: 'full' | 'short';
  /** What a recipient needs. */
  readonly reaches: 'phone' | 'email';
  /** How fast a sender may send, which all workers keep together; `null` when the channel itself keeps a pace. */
  readonly pace: { readonly perSecond: number; readonly secondsPerPerson: number } | null;
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
  readonly email?: string;
  /** The channel's id of the person, once it has sent one: its later events may contain no phone number. */
  readonly channelUserId?: string;
  /** The person uses another number now: the id reaches the person, and the phone may be somebody else's. */
  readonly hasMoved?: boolean;
}

/** A Pix code that comes with a message. */
export interface PixInMessage {
  readonly code: string;
  /** Letters, digits and dashes; each message has its own. */
  readonly reference: string;
  readonly amountCentavos: number;
  /** Who is paid, as the channel shows it. */
  readonly receiver: { readonly name: string; readonly key: string; readonly keyType: PixKeyType };
  /** What is paid, in at most 60 characters. */
  readonly item: string;
  /** Until when the code is shown. */
  readonly shownUntil: Date;
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
  /** Only for a channel with the capability `pixCodes`. */
  readonly pix?: PixInMessage;
  readonly context: OutgoingContext & { readonly purpose: MessagePurpose };
  /** The client's own credentials; `null` for a channel that needs none. */
  readonly credentials: ChannelCredentials | null;
}

export interface PhoneRequest {
  /** The service's own UUID, which delivery states repeat. */
  readonly id: string;
  readonly channelUserId: string;
  readonly text: string;
  readonly credentials: ChannelCredentials | null;
}

export interface SentMessage {
  /** The channel's id of the message; delivery states refer to it. */
  readonly channelMessageId: string;
  readonly channelUserId: string | null;
}

/** What `checkCredentials` has learned about a sender. */
export interface CheckedSender {
  /** The number, word or address that the debtor sees. */
  readonly shownAs: string;
  /** How many people the sender may reach in 24 hours; null when the channel names no limit. */
  readonly peoplePerDay: number | null;
  /** How the channel rates the sender; absent or null when it does not rate it. */
  readonly quality?: SenderQuality | null;
}

export interface MessagingChannel {
  readonly name: MessagingChannelName;
  readonly capabilities: ChannelCapabilities;
  /**
   * Resolves once the channel has accepted the message, before it is delivered. Only the caller may repeat an attempt.
   */
  send(message: OutgoingMessage): Promise<SentMessage>;
  /** Throws `unauthorized` when the channel refuses the credentials. */
  checkCredentials(credentials: ChannelCredentials | null): Promise<CheckedSender>;
  /** Returns the forms, beside the text itself, in which the recipient sees the whole message and may copy it. */
  formsOf?(
    message: Pick<OutgoingMessage, 'id' | 'text'> & {
      readonly creditorName: string;
      readonly debtId: string;
      readonly purpose: MessagePurpose;
      /** The page of rights, to which an e-mail leads; null when there is none any more. */
      readonly rightsUrl: string | null;
    },
  ): readonly string[];
  /**
   * Asks a person, whom the channel names by its own id alone, for the phone by a button. The channel takes it while free
   * text is allowed. The errors are those of `send`.
   */
  askForPhone?(request: PhoneRequest): Promise<SentMessage>;
  /** Shows the debtor that a message was read, where the channel has such a mark. A failure is of no consequence. */
  markRead?(channelMessageId: string, credentials: ChannelCredentials): Promise<void>;
  /** Reads an attachment of a received message, at most `maxBytes` of it; throws `rejected` when it is larger. */
  readAttachment?(
    attachmentId: string,
    credentials: ChannelCredentials,
    maxBytes: number,
  ): Promise<{ readonly contentType: string; readonly content: Uint8Array }>;
  /** Templates that the channel has to approve before they can be sent. */
  readonly templates?: ChannelTemplates;
}

/** The text of a template with its placeholders `{{1}}`, `{{2}}`, in the product's own words. */
export interface TemplateText {
  readonly name: string;
  readonly language: 'pt_BR';
  readonly body: string;
  /** One example for each placeholder, which the channel's reviewers read. */
  readonly examples: readonly string[];
  /** The quick replies under the message, in order. */
  readonly buttons: readonly { readonly title: string; readonly intent: Intent }[];
  /** Whether the message carries a document above its text. */
  readonly document: boolean;
  /** An example of a Pix code, where the last button copies one. */
  readonly pixCode?: string;
}

/** What a channel says about a template when it is asked. */
export interface CheckedTemplate {
  readonly name: string;
  readonly state: TemplateState;
  readonly reason: string | null;
  /** Whether the channel takes it for advertising; null when it does not say. */
  readonly isMarketing: boolean | null;
}

export interface ChannelTemplates {
  /** Creates what is missing. A template that exists is left as it is. */
  push(texts: readonly TemplateText[], credentials: ChannelCredentials): Promise<void>;
  states(names: readonly string[], credentials: ChannelCredentials): Promise<readonly CheckedTemplate[]>;
}

export interface MessagingErrorOptions {
  readonly retryAfterSeconds?: number;
  /** Whether the wait concerns this recipient only, or every message of this sender. */
  readonly scope?: 'recipient' | 'sender';
  readonly channelCode?: string;
  /** Set when the channel may refuse nothing but the Pix code that comes with the message. */
  readonly ofPixCode?: PixRefusal;
}

/** `sender`: no message of the sender may carry one. `message`: this one may not. */
export type PixRefusal = 'sender' | 'message';

export class MessagingError extends Error {
  readonly kind: MessagingErrorKind;
  readonly retryAfterSeconds: number | undefined;
  readonly scope: 'recipient' | 'sender';
  readonly channelCode: string | undefined;
  readonly ofPixCode: PixRefusal | undefined;

  constructor(kind: MessagingErrorKind, message: string, options: MessagingErrorOptions = {}) {
    super(message);
    this.name = 'MessagingError';
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.scope = options.scope ?? 'recipient';
    this.channelCode = options.channelCode;
    this.ofPixCode = options.ofPixCode;
  }

  get surelyNotSent(): boolean {
    return this.kind !== 'unknown_outcome';
  }
}
