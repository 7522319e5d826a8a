import type { AttachmentKind } from '../../debts/rules/attachment-kinds.ts';
import type { Intent } from '../../debts/rules/intents.ts';
import type { Understanding } from '../../messaging/ports/collection-agent.ts';
import type { ReceivedMessage } from '../../messaging/queries/conversations.ts';

type Part = Pick<ReceivedMessage, 'text' | 'button' | 'files'>;

/** Files that may prove a payment: a picture of the bank's app, or its PDF. */
const MAY_BE_RECEIPT: readonly AttachmentKind[] = ['image', 'document'];

export const mayBeReceipt = ({ files }: Pick<Part, 'files'>): boolean =>
  files.some((kind) => MAY_BE_RECEIPT.includes(kind));

const certain = (intent: Intent): Understanding => ({
  intent,
  date: null,
  confidence: 1,
  also: [],
  topics: [],
  mentionsDeath: false,
});

/** The texts of a turn that have to be read. A pressed button says by itself what it means. */
export const textsToRead = (messages: readonly Part[]): string[] =>
  messages.filter(({ text, button }) => button === null && text.trim() !== '').map(({ text }) => text);

/** What is understood of a turn without reading: pressed buttons, and files that may prove a payment. */
export const certainParts = (messages: readonly Part[]): Understanding[] =>
  messages.flatMap(({ button, files }) => [
    ...(button === null ? [] : [certain(button)]),
    ...(mayBeReceipt({ files }) ? [certain('already_paid')] : []),
  ]);

/** Of a turn with nothing to read and nothing certain, such as a voice message alone. */
export const NOTHING_SAID: Understanding = certain('other');
