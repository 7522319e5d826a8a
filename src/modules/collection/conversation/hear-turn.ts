import { localDate } from '../../../kernel/calendar.ts';
import { isBusinessDay } from '../../../kernel/holidays.ts';
import { isRealChannel } from '../../../kernel/messaging-channels.ts';
import { areaCodeOf, displayOffset, placeOf } from '../../../kernel/phone.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { debtNow } from '../../debts/use-cases/clock.ts';
import type { DebtContext } from '../../debts/use-cases/debt-context.ts';
import { pageOfPerson } from '../../debts/use-cases/rights-link.ts';
import {
  type AutomaticWords,
  type CollectionAgent,
  type Conversation,
  NotUnderstoodError,
  type Turn,
  type Understanding,
} from '../../messaging/ports/collection-agent.ts';
import { type ReceivedMessage, unhandledMessages } from '../../messaging/queries/conversations.ts';
import { type Candidates, candidatesFor } from '../../messaging/use-cases/candidates.ts';
import { ledgerKeyOf } from '../../messaging/use-cases/contact-ledger.ts';
import { type OtherDebts, readTurns } from '../../messaging/use-cases/debt-facts.ts';
import type { Sender } from '../../messaging/use-cases/deps.ts';
import { isWrongPhone } from '../../messaging/use-cases/suppressions.ts';
import { isAutomaticAnswer } from '../../policy/rules/automatic-answer.ts';
import type { CollectionDeps } from '../deps.ts';
import { otherOpenDebts, withPage } from '../gate/debts-of-contact.ts';
import { certainParts, type DayOfTurn, textsToRead } from './understand-turn.ts';

/** The most messages of one turn. Further messages make the next turn, and the debt is silent meanwhile. */
const MAX_MESSAGES = 20;

/** What the debtor has written since the last answer, with what the next answer needs to know. */
export interface HeardTurn {
  readonly debt: DebtContext;
  readonly messages: readonly ReceivedMessage[];
  /** More messages wait for the next turn. */
  readonly isMore: boolean;
  /** The phone from which the debtor wrote, to which the answer goes. */
  readonly phone: string;
  /** The senders that may carry the answer; the channel on which the debtor wrote comes first. */
  readonly candidates: Candidates;
  /** The number to which the debtor wrote, when several clients may share it. */
  readonly number: string | null;
  /** The phone is known to belong to another person, who learns nothing of the debt and changes nothing of it. */
  readonly fromStranger: boolean;
  readonly others: OtherDebts | null;
  /** The page that an answer about data or rights names. */
  readonly rightsPageId: string | null;
  /** The conversation before. */
  readonly turns: readonly Turn[];
}

/** Reads the messages without an answer. Whoever writes from another phone may be another person, and makes the next turn. */
export async function hearTurn(tx: Tx, deps: CollectionDeps, debt: DebtContext): Promise<HeardTurn> {
  const waiting = await unhandledMessages(tx, debt.id, { limit: MAX_MESSAGES + 1, fastMs: FAST_MS });
  const phoneOf = (message: ReceivedMessage | undefined): string => message?.phone ?? debt.debtorPhone;
  const phone = phoneOf(waiting[0]);
  const messages = waiting.slice(0, MAX_MESSAGES).filter((message) => phoneOf(message) === phone);
  const answers = messages[0]?.channel ?? null;
  const candidates = await candidatesFor(tx, deps, debt, { phone, answers });
  const fromStranger = await isWrongPhone(tx, ledgerKeyOf({ ...debt, debtorPhone: phone }, deps.personKeys));
  // An answer may go out at any hour, so it speaks of every debt that has fallen due, whatever the window.
  const today = localDate(debtNow(debt.clockOffsetMs, deps.now().getTime()), offsetOf(phone));
  const due = fromStranger ? [] : (await otherOpenDebts(tx, debt)).filter(({ dueDate }) => dueDate <= today);
  return {
    debt,
    messages,
    isMore: waiting.length > messages.length,
    phone,
    candidates,
    number: numberOf(candidates.senders, answers),
    fromStranger,
    others: fromStranger ? null : await withPage(tx, debt, due),
    rightsPageId: fromStranger || debt.wrongPerson ? null : await pageOfPerson(tx, debt),
    turns: await readTurns(tx, debt, phone),
  };
}

/** A button of the debtor's page is pressed on no channel; it stands for the one on which the client writes first. */
function numberOf(senders: readonly Sender[], answers: string | null): string | null {
  const sender = senders.find(({ channel }) => channel.name === answers) ?? senders[0];
  return sender?.number ?? null;
}

/** Whatever the owner of a wrong phone writes, only a request for silence takes effect, for that phone alone. */
export const asStranger = (said: Understanding): Understanding => ({
  ...said,
  intent: 'wrong_person',
  date: null,
  also: [said.intent, ...said.also].filter((intent) => intent === 'opt_out'),
});

const offsetOf = (phone: string): number => displayOffset(areaCodeOf(phone));

/** Returns the conversation as it is on the day of a moment. */
export function conversationOf(
  deps: CollectionDeps,
  { debt, phone, turns }: Pick<HeardTurn, 'debt' | 'phone' | 'turns'>,
  at: number,
): Conversation {
  const place = placeOf(areaCodeOf(phone));
  return {
    debtId: debt.id,
    debtorName: debt.debtorName,
    today: localDate(at, offsetOf(phone)),
    isBusinessDay: (date) => isBusinessDay(deps.policy.holidays, date, place.states),
    turns,
  };
}

/**
 * Groups what was written by its days, the first day first. An answer may be made on a later day, and tried again on
 * another, and each time the words mean the day on which they were written.
 */
export function daysOfTurn(
  written: readonly ReceivedMessage[],
  conversationAt: (at: number) => Conversation,
): DayOfTurn[] {
  const days = Map.groupBy(written, ({ at }) => conversationAt(at.getTime()).today);
  return [...days.values()].map((messages) => {
    const at = messages.at(-1)!.at.getTime();
    return {
      at,
      texts: textsToRead(messages),
      certain: certainParts(messages),
      conversation: conversationAt(at),
    };
  });
}

/**
 * Shows the debtor that the messages of a turn were read, where the channel has such a mark: one on the newest message
 * counts for those before it. Nobody waits for it, and a failure is of no consequence.
 */
export function markRead(
  { files }: Pick<CollectionDeps, 'files'>,
  clientId: string,
  messages: readonly ReceivedMessage[],
): void {
  const newest = messages.at(-1);
  const { channel: name = '', channelMessageId = null, senderId = null } = newest ?? {};
  const channel = files.channelOf(name);
  if (channel?.markRead === undefined || !isRealChannel(name) || channelMessageId === null || senderId === null) return;
  void files
    .credentialsOf(clientId, name, senderId)
    .then((credentials) => (credentials === null ? undefined : channel.markRead?.(channelMessageId, credentials)))
    .catch(() => undefined);
}

/**
 * A message that comes within this time after one of ours was not written in answer to it by a person. The time counts
 * from the booking of our message, which the channel accepts up to a second later.
 */
const FAST_MS = 3_000;

interface SeparatedTurn {
  readonly written: readonly ReceivedMessage[];
  readonly automatic: readonly ReceivedMessage[];
}

/** Separates what the debtor has written in a turn from what a machine has answered. */
export async function separateAutomatic(
  agent: Pick<CollectionAgent, 'automaticWords'>,
  messages: readonly ReceivedMessage[],
): Promise<SeparatedTurn> {
  const words = new Map<ReceivedMessage, AutomaticWords | null>();
  for (const message of messages) words.set(message, await wordsOf(agent, message));
  const isBesideAutomatic = [...words.values()].some((found) => found?.automatic === 'yes');
  const isAutomatic = (message: ReceivedMessage): boolean => {
    const found = words.get(message) ?? null;
    return found !== null && isAutomaticAnswer({ ...message, ...found, words: found.automatic, isBesideAutomatic });
  };
  return {
    written: messages.filter((message) => !isAutomatic(message)),
    automatic: messages.filter(isAutomatic),
  };
}

/** Returns null for what no machine has written, or what cannot be read and therefore goes to a person. */
async function wordsOf(
  agent: Pick<CollectionAgent, 'automaticWords'>,
  { channel, text, button }: ReceivedMessage,
): Promise<AutomaticWords | null> {
  // A person has pressed a button, or sent a file without a word.
  if (channel === 'page' || button !== null || text.trim() === '') return null;
  try {
    return await agent.automaticWords(text);
  } catch (error) {
    if (!(error instanceof NotUnderstoodError)) throw error;
    return null;
  }
}
