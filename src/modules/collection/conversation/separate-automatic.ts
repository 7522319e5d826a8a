import {
  type AutomaticWords,
  type CollectionAgent,
  NotUnderstoodError,
} from '../../messaging/ports/collection-agent.ts';
import type { ReceivedMessage } from '../../messaging/queries/conversations.ts';
import { isAutomaticAnswer } from '../../policy/rules/automatic-answer.ts';

/**
 * A message that comes within this time after one of ours was not written in answer to it by a person. The time counts
 * from the booking of our message, which the channel accepts up to a second later.
 */
export const FAST_MS = 3_000;

export interface SeparatedTurn {
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
