import { collectionMessage } from '../../../documents/messages/collection.ts';
import { replyMessage } from '../../../documents/messages/replies.ts';
import { scoreDebt } from '../../../domain/score.ts';
import type { CollectionAgent } from '../../../ports/collection-agent.ts';
import { understandByRules } from './understand.ts';

/** The brain that needs no model: templates, a trained classifier and rules above it. */
export const createRulesAgent = (): CollectionAgent => ({
  score: async (debts) => debts.map(scoreDebt),
  compose: async (step, debt) => {
    const { text, template } = collectionMessage(step.kind, step.tone, debt);
    return { purpose: 'collection', text, template };
  },
  understand: async (message, conversation) => understandByRules(message, conversation),
  reply: async (understanding, debt) => ({
    purpose: understanding.intent === 'opt_out' ? 'opt_out_confirmation' : 'reply',
    text: replyMessage({ ...understanding, situation: debt.situation }, debt),
    template: null,
  }),
});
