import { isDeepStrictEqual } from 'node:util';
import { understoodTexts } from '../../../kernel/understood-text.ts';
import type { AttachmentKind } from '../../debts/rules/attachment-kinds.ts';
import { INTENTS, type Intent } from '../../debts/rules/intents.ts';
import {
  type CollectionAgent,
  type Conversation,
  NotUnderstoodError,
  type Understanding,
} from '../../messaging/ports/collection-agent.ts';
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

/** What was written on one day, which is read as that day understands it: `amanhã` names another day on each. */
export interface DayOfTurn {
  /** When the last of it was written. */
  readonly at: number;
  readonly texts: readonly string[];
  /** What is understood of it without reading, such as a pressed button. */
  readonly certain: readonly Understanding[];
  /** The conversation on that day. */
  readonly conversation: Conversation;
}

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
const NOTHING_SAID: Understanding = certain('other');

export interface UnderstoodTurn {
  readonly understood: Understanding;
  /** True when a part of the turn could not be read, so that a person has to read it. */
  readonly needsPerson: boolean;
  /** When the debtor last said that it is paid; null when nothing says so. */
  readonly claimedAt: number | null;
  /** When the debtor first accepted an offer; null when nothing accepts one. */
  readonly acceptedAt: number | null;
  /** A text disputes, so that the texts of the turn say which debts are meant. A button says that by itself. */
  readonly disputesInWords: boolean;
}

/** The most texts that are read of one turn. Of a longer turn the newest are read, and a person reads the rest. */
const MAX_TEXTS = 24;

/** Intents in the order of the harm that a wrong reading would cause, the greatest first. */
const GRAVEST_FIRST: readonly Intent[] = [
  'wrong_person',
  'opt_out',
  'dispute',
  'hardship',
  'human',
  'already_paid',
  'promise',
  'negotiate',
  'propose',
  'accept_offer',
  'wants_to_pay',
  'question',
  'other',
];

const UNREAD: Understanding = {
  intent: 'human',
  date: null,
  confidence: 0,
  also: [],
  topics: [],
  mentionsDeath: false,
};

/** Combines the intents of several texts of one turn: the first in that order is the main one, the others follow it. */
const together = (parts: readonly Understanding[]): Understanding => {
  const wanted = new Set(parts.flatMap(({ intent, also }) => [intent, ...also]));
  const asked = new Set(parts.map(({ intent }) => intent));
  if (wanted.has('opt_out')) asked.add('opt_out');
  const intent = GRAVEST_FIRST.find((each) => asked.has(each)) ?? 'other';
  const also = INTENTS.filter((each) => wanted.has(each) && each !== intent && each !== 'other');
  const promises = intent === 'promise' || also.includes('promise');
  const ofOffers = offersSaid(intent, parts);
  const dates = parts.map(({ date }) => date).filter((date) => date !== null);
  return {
    ...ofOffers,
    date: promises ? (dates.sort().at(-1) ?? null) : null,
    confidence: Math.min(...parts.map(({ confidence }) => confidence)),
    also,
    topics: [...new Set(parts.flatMap(({ topics }) => topics))],
    mentionsDeath: parts.some(({ mentionsDeath }) => mentionsDeath),
  };
};

/** Several texts that answer offers have to say the same; otherwise they answer none of them for certain. */
function offersSaid(
  intent: Intent,
  parts: readonly Understanding[],
): Pick<Understanding, 'intent' | 'offerNumber' | 'proposal' | 'offerOpen'> {
  const open = parts.find(({ offerOpen }) => offerOpen !== undefined)?.offerOpen;
  if (intent === 'negotiate') return { intent, ...(open !== undefined && { offerOpen: open }) };
  if (intent !== 'accept_offer' && intent !== 'propose') return { intent };
  const said = parts.filter((part) => part.intent === intent);
  const [first] = said;
  const { offerNumber, proposal } = first!;
  const isSame = said.every((part) => part.offerNumber === offerNumber && isDeepStrictEqual(part.proposal, proposal));
  if (!isSame) return { intent: 'negotiate', offerOpen: 'unclear' };
  return {
    intent,
    ...(offerNumber !== undefined && { offerNumber }),
    ...(proposal !== undefined && { proposal }),
  };
}

/** When a part was not read, only these main intents take effect as they are, because they all stop messages. */
const STAYS_SILENT: readonly Intent[] = ['wrong_person', 'opt_out', 'dispute'];

interface ReadPart {
  readonly said: Understanding;
  readonly at: number;
}

const says = ({ intent, also }: Understanding, wanted: Intent): boolean => intent === wanted || also.includes(wanted);

/** Returns when an intent was said, the earliest first. */
const momentsOf = (parts: readonly ReadPart[], intent: Intent): number[] =>
  parts
    .filter(({ said }) => says(said, intent))
    .map(({ at }) => at)
    .toSorted((one, other) => one - other);

/**
 * Understands all messages of a turn, in texts of a bounded length, each as of the day on which it was written. When a
 * text cannot be read, the intents of the others still take effect, and the turn also counts as a request for a person,
 * which puts the debt on hold.
 */
export async function understandTurn(
  agent: Pick<CollectionAgent, 'understand'>,
  days: readonly DayOfTurn[],
): Promise<UnderstoodTurn> {
  const certain = days.flatMap(({ at, certain }) => certain.map((said): ReadPart => ({ said, at })));
  const texts = days.flatMap(({ texts, ...day }) => understoodTexts(texts).map((text) => ({ ...day, text })));
  const ofTexts: ReadPart[] = [];
  let needsPerson = texts.length > MAX_TEXTS;
  for (const { at, text, conversation } of texts.slice(-MAX_TEXTS)) {
    try {
      ofTexts.push({ said: await agent.understand(text, conversation), at });
    } catch (error) {
      if (!(error instanceof NotUnderstoodError)) throw error;
      needsPerson = true;
    }
  }
  const parts = [...certain, ...ofTexts];
  return {
    understood: whole(
      parts.map(({ said }) => said),
      needsPerson,
    ),
    needsPerson,
    claimedAt: momentsOf(parts, 'already_paid').at(-1) ?? null,
    acceptedAt: momentsOf(parts, 'accept_offer').at(0) ?? null,
    disputesInWords: ofTexts.some(({ said }) => says(said, 'dispute')),
  };
}

/** What the parts of a turn say together. `needsPerson` says that a part was not read. */
function whole(read: readonly Understanding[], needsPerson: boolean): Understanding {
  if (read.length === 0 && !needsPerson) return NOTHING_SAID;
  if (read.length === 1 && !needsPerson) return read[0]!;
  const understood = read.length === 0 ? UNREAD : together(read);
  if (!needsPerson || STAYS_SILENT.includes(understood.intent)) return understood;
  const also = [understood.intent, ...understood.also].filter((each) => each !== 'human' && each !== 'other');
  return { ...understood, intent: 'human', date: null, also, topics: [] };
}
