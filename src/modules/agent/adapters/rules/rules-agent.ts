import { scoreDebt } from '../../../debts/rules/score.ts';
import type { CollectionAgent } from '../../../messaging/ports/collection-agent.ts';
import { collectionMessage } from '../../../messaging/texts/collection.ts';
import { dueReminder } from '../../../messaging/texts/due-reminder.ts';
import { saysOptOutToday } from '../../../messaging/texts/known-facts.ts';
import { replyMessage } from '../../../messaging/texts/replies.ts';
import { shortReplyMessage } from '../../../messaging/texts/short-replies.ts';
import { automaticWords } from './automatic.ts';
import { understandByRules } from './understand.ts';

/** Reads messages: in worker threads in the running service, and in the calling thread in tests. */
type Reader = Pick<CollectionAgent, 'understand' | 'automaticWords'>;
const ON_THE_SPOT: Reader = {
  understand: async (message, conversation) => understandByRules(message, conversation),
  automaticWords: async (message) => automaticWords(message),
};

/**
 * The agent that needs no language model. It uses templates, a trained classifier, and rules that override the
 * classifier.
 */
export const createRulesAgent = (reader: Reader = ON_THE_SPOT): CollectionAgent => ({
  score: async (debts) => debts.map(scoreDebt),
  compose: async ({ kind, tone, earlierReminders }, debt) =>
    kind === 'before_due'
      ? { purpose: 'reminder', ...dueReminder(debt) }
      : { purpose: 'collection', ...collectionMessage(kind, tone, debt, earlierReminders) },
  understand: reader.understand,
  automaticWords: reader.automaticWords,
  reply: async (understanding, debt, conversation) => {
    const optOutSaid = saysOptOutToday(conversation);
    const request = { ...understanding, situation: debt.situation, optOutSaid };
    return {
      purpose: understanding.intent === 'opt_out' ? 'opt_out_confirmation' : 'reply',
      text: replyMessage(request, debt),
      short: shortReplyMessage(request, debt),
      template: null,
    };
  },
});
