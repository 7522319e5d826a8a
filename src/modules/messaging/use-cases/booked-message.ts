import type { MessagePurpose } from '../../../kernel/message-purposes.ts';
import type { AgentMessage, MessageTemplate } from '../ports/collection-agent.ts';
import type { MessagingChannel, OutgoingMessage, PixInMessage } from '../ports/messaging-channel.ts';
import type { Candidate } from './candidates.ts';

/** A Pix code that comes with a message where the sender may send one. Everywhere else the message has its link alone. */
export interface PixOfMessage extends Omit<PixInMessage, 'reference'> {
  readonly chargeId: string;
  /** What stands above the code; null where it may come with a template alone. */
  readonly textAbove: string | null;
  /** The template with a button for the code, for the times at which free text is not allowed. */
  readonly template: MessageTemplate | null;
  /** Whether the code can still be paid, which is asked immediately before it is sent. */
  readonly isOpen: () => Promise<boolean>;
}

/**
 * A process may stand still between the decision and the sending: its machine sleeps, is moved or has too much to do.
 * After this time the debtor may have paid or asked for silence, or the day may be over, so it is decided again.
 */
export const SEND_WITHIN_MS = 10_000;

export interface BookedMessage {
  readonly id: string;
  readonly purpose: MessagePurpose;
  /** The debtor's phone that the message goes to. */
  readonly phone: string;
  readonly text: string;
  /** The text for channels that take short ones. */
  readonly short: string;
  readonly template: MessageTemplate | null;
  /** Set when `text` is the client's own wording. */
  readonly own?: OwnText;
  /** The other debts that a contact speaks of. */
  readonly alsoAbout?: readonly string[];
  readonly document?: OutgoingMessage['document'];
  /** Set only where the person may be shown the code. */
  readonly pix?: PixOfMessage;
  /** The moment by the debt's own clock. */
  readonly at: number;
  /** The moment, by the clock of the service, after which the message is no longer sent. */
  readonly notAfter?: number;
}

/** A client's own wording, which channels with approved templates cannot carry. */
type OwnText = NonNullable<AgentMessage['own']>;

interface Texts {
  readonly text: string;
  readonly short: string;
  readonly own?: OwnText;
}

type Channel = Pick<MessagingChannel, 'capabilities'>;

export const textFor = ({ sender }: Pick<Candidate, 'sender'>, texts: Texts): string => textOn(sender.channel, texts);

/** Free text is not always allowed there, so a template that was approved before may have to say the same. */
const needsApproval = ({ templates, freeTextWindowMs }: MessagingChannel['capabilities']): boolean =>
  templates && freeTextWindowMs !== null;

/** Returns the text that a channel carries. */
export function textOn({ capabilities }: Channel, { text, short, own }: Texts): string {
  if (capabilities.texts === 'short') return short;
  return own !== undefined && needsApproval(capabilities) ? own.productText : text;
}

/** The version of the client's own wording that the text for this sender has. */
export function textVersionFor({ sender }: Pick<Candidate, 'sender'>, { own }: Pick<Texts, 'own'>): number | null {
  const { capabilities } = sender.channel;
  if (own === undefined || needsApproval(capabilities)) return null;
  if (capabilities.texts === 'short' && !own.isShortOwn) return null;
  return own.version;
}
