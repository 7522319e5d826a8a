import { collectionMessage } from '../../../documents/messages/collection.ts';
import { replyMessage } from '../../../documents/messages/replies.ts';
import { scoreDebt } from '../../../domain/score.ts';
import type { CollectionAgent } from '../../../ports/collection-agent.ts';
import { understandByRules } from './understand.ts';

/** Where messages are read: in threads where the service runs, and on the spot in tests of what is understood. */
type Understand = CollectionAgent['understand'];
const onTheSpot: Understand = async (message, conversation) => understandByRules(message, conversation);

/** The brain that needs no model: templates, a trained classifier and rules above it. */
export const createRulesAgent = (understand: Understand = onTheSpot): CollectionAgent => ({
  score: async (debts) => debts.map(scoreDebt),
  compose: async (step, debt) => {
    const { text, template } = collectionMessage(step.kind, step.tone, debt);
    return { purpose: 'collection', text, template };
  },
  understand,
  reply: async (understanding, debt) => ({
    purpose: understanding.intent === 'opt_out' ? 'opt_out_confirmation' : 'reply',
    text: replyMessage({ ...understanding, situation: debt.situation }, debt),
    template: null,
  }),
});
