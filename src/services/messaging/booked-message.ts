import type { MessagePurpose } from '../../domain/message-purposes.ts';
import type { MessageTemplate } from '../../ports/collection-agent.ts';
import type { OutgoingMessage } from '../../ports/messaging-channel.ts';
import type { Candidate } from './candidates.ts';

export interface BookedMessage {
  readonly id: string;
  readonly purpose: MessagePurpose;
  /** The debtor's phone that the message goes to. */
  readonly phone: string;
  readonly text: string;
  /** The text for channels that take short ones. */
  readonly short: string;
  readonly template: MessageTemplate | null;
  /** The other debts that a contact speaks of. */
  readonly alsoAbout?: readonly string[];
  readonly document?: OutgoingMessage['document'];
  /** The moment by the debt's own clock. */
  readonly at: number;
}

export const textFor = ({ sender }: Candidate, { text, short }: Pick<BookedMessage, 'text' | 'short'>): string =>
  sender.channel.capabilities.texts === 'short' ? short : text;
