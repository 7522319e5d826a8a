import type { GuardRules } from '../../../../kernel/message-guard.ts';
import type { DebtFacts, Turn, Understanding } from '../../../messaging/ports/collection-agent.ts';
import { knownFacts, OPT_OUT } from '../../../messaging/texts/known-facts.ts';
import { carriesOptOut } from '../../../messaging/texts/replies.ts';
import { chargedIn, messageValues, shortValues } from '../../../messaging/texts/values.ts';

type Texts = 'full' | 'short';
export type RulesFor = (texts: Texts) => GuardRules;
const VALUES = { full: messageValues, short: shortValues };

/** As much as one message of WhatsApp holds. */
const MAX_ACCEPTED_LENGTH = 4_096;

export const collectionRules = (debt: DebtFacts, history: readonly Turn[], texts: Texts = 'full'): GuardRules => {
  const values = VALUES[texts](debt);
  const identity = [values['cnpj'], values['address']].filter((value) => value !== undefined);
  const answered = history.some((turn) => turn.from === 'debtor');
  return {
    known: knownFacts(debt, { date: null, answered, texts }),
    required: [values['firstName']!, values['creditor']!, values['link']!, OPT_OUT[texts], ...identity],
    mayDisclose: debt.situation !== 'wrong_person',
    paid: false,
    charged: chargedIn(debt) !== null,
  };
};

export const replyRules = (
  understanding: Understanding,
  debt: DebtFacts,
  texts: Texts = 'full',
  optOutSaid = false,
): GuardRules => ({
  known: knownFacts(debt, { date: understanding.date, answered: true, texts }),
  required: carriesOptOut({ intent: understanding.intent, situation: debt.situation, optOutSaid })
    ? [OPT_OUT[texts]]
    : [],
  mayDisclose: understanding.intent !== 'wrong_person' && debt.situation !== 'wrong_person',
  paid: debt.situation === 'paid' || debt.situation === 'closed',
  charged: chargedIn(debt) !== null,
  // The stored words of an acceptance name every instalment.
  ...(debt.offered?.kind === 'accepted' && { maxLength: MAX_ACCEPTED_LENGTH }),
});
