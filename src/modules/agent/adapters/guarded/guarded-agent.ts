import { addDays, parseLocalDate } from '../../../../kernel/calendar.ts';
import { type GuardProblem, guardMessage } from '../../../../kernel/message-guard.ts';
import type { Intent } from '../../../debts/rules/intents.ts';
import type {
  AgentMessage,
  CollectionAgent,
  Conversation,
  Understanding,
} from '../../../messaging/ports/collection-agent.ts';
import { saysOptOutToday } from '../../../messaging/texts/known-facts.ts';
import { collectionRules, type RulesFor, replyRules } from './guard-rules.ts';
import { withOwnWording } from './own-wording.ts';

/** The most days ahead that a promised date may be. A later date is more often misread than meant. */
const FARTHEST_PROMISE_DAYS = 120;

export interface GuardedOptions {
  readonly brain: CollectionAgent;
  /** The rules agent. Its templates replace a refused text, and no other agent overrules its hard rules. */
  readonly rules: CollectionAgent;
  /** Counts refusals for the metrics. It gets codes and never a text. */
  readonly onRefused?: (problems: readonly GuardProblem[]) => void;
}

const isPlausible = (date: string, { today }: Conversation): boolean =>
  parseLocalDate(date) !== null && date >= today && date <= addDays(today, FARTHEST_PROMISE_DAYS);

/** Keeps a request for silence and a date that the rules found, whatever the other agent understood. */
const settle = (proposed: Understanding, byRules: Understanding, conversation: Conversation): Understanding => {
  if (byRules.intent === 'opt_out' || byRules.also.includes('opt_out')) return byRules;
  if (proposed.also.includes('opt_out') && proposed.intent !== 'wrong_person') {
    const also = [proposed.intent, ...proposed.also.filter((intent) => intent !== 'opt_out')];
    return { ...proposed, intent: 'opt_out', date: null, also };
  }
  const promises = proposed.intent === 'promise' || proposed.also.includes('promise');
  const date = promises ? (byRules.date ?? proposed.date) : null;
  return { ...proposed, date: date !== null && isPlausible(date, conversation) ? date : null };
};

/** What a model may find in a message in which the rules find an answer to an offer: a person or silence comes first. */
const BEFORE_OFFERS: readonly Intent[] = ['opt_out', 'wrong_person', 'dispute', 'hardship', 'human'];
const OF_OFFERS: readonly Intent[] = ['accept_offer', 'propose'];

/**
 * What binds the debtor is read by the rules alone: the offer that is accepted and the amount that is proposed. Where only
 * a model has found such an answer, the offers are shown once more.
 */
const settleOffers = (proposed: Understanding, byRules: Understanding): Understanding => {
  const isAnswer = OF_OFFERS.includes(byRules.intent) || byRules.offerOpen !== undefined;
  if (isAnswer) return BEFORE_OFFERS.includes(proposed.intent) ? proposed : byRules;
  const also = proposed.also.filter((intent) => !OF_OFFERS.includes(intent));
  if (!OF_OFFERS.includes(proposed.intent)) return { ...proposed, also };
  return {
    ...proposed,
    intent: 'negotiate',
    also: also.filter((intent) => intent !== 'negotiate'),
    offerOpen: 'unclear',
  };
};

export const createGuardedAgent = ({ brain, rules, onRefused }: GuardedOptions): CollectionAgent => {
  /**
   * Each of the two texts is checked by itself. The rules choose everything else, such as the purpose and the approved
   * template, because an operator approves templates by purpose.
   */
  const checked = (proposed: AgentMessage, own: AgentMessage, rulesFor: RulesFor): AgentMessage => {
    const checkedText = (which: 'text' | 'short'): string => {
      const problems = guardMessage(proposed[which], rulesFor(which === 'text' ? 'full' : 'short'));
      if (problems.length === 0) return proposed[which];
      onRefused?.(problems);
      return own[which];
    };
    return { ...own, text: checkedText('text'), short: checkedText('short') };
  };

  return {
    score: async (debts) => await rules.score(debts),
    compose: async (step, debt, history) => {
      const own = await rules.compose(step, debt, history);
      if (step.wording != null) return withOwnWording(own, step.wording, { debt, history }, onRefused);
      const proposed = await brain.compose(step, debt, history);
      return checked(proposed, own, (texts) => collectionRules(debt, history, texts));
    },
    understand: async (message, conversation) => {
      // The rules read first: a message that they cannot read goes to a person, whatever a model would understand.
      const byRules = await rules.understand(message, conversation);
      const proposed = brain === rules ? byRules : await brain.understand(message, conversation);
      return settle(brain === rules ? byRules : settleOffers(proposed, byRules), byRules, conversation);
    },
    automaticWords: rules.automaticWords,
    reply: async (understanding, debt, conversation) => {
      const own = await rules.reply(understanding, debt, conversation);
      const proposed = await brain.reply(understanding, debt, conversation);
      const optOutSaid = saysOptOutToday(conversation);
      return checked(proposed, own, (texts) => replyRules(understanding, debt, texts, optOutSaid));
    },
  };
};
