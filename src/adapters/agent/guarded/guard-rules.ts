import { OPT_OUT_LINE } from '../../../documents/messages/collection-bodies.ts';
import { carriesOptOut } from '../../../documents/messages/replies.ts';
import { SHORT_OPT_OUT_LINE, shortValues } from '../../../documents/messages/short-values.ts';
import { messageValues } from '../../../documents/messages/values.ts';
import type { GuardRules } from '../../../domain/message-guard.ts';
import type { DebtFacts, Turn, Understanding } from '../../../ports/collection-agent.ts';

/**
 * Short texts have their own spelling of the same values: the alphabet of an SMS, a first name of at most 16 letters, an
 * address without its postal code, the short address of the page, a shorter line about silence. Each rule holds for them
 * with that spelling, because two segments have no room for the full one.
 */
type Texts = 'full' | 'short';
export type RulesFor = (texts: Texts) => GuardRules;
const VALUES = { full: messageValues, short: shortValues };
const OPT_OUT = { full: OPT_OUT_LINE, short: SHORT_OPT_OUT_LINE };

/**
 * A message names the amount and the due date only after the debtor has answered, because the phone may be somebody
 * else's.
 */
const knownOf = (debt: DebtFacts, date: string | null, answered: boolean, texts: Texts): string[] => {
  const { invoiceId, amount, total, dueDate, disputed, count, ...always } = VALUES[texts](debt, date);
  return [
    ...Object.values(always),
    OPT_OUT[texts],
    // A bare count such as 3 would allow the digit 3 anywhere in a text.
    ...(count === undefined ? [] : [`${count} pagamentos`, `${count} contas`]),
    ...(answered ? [amount!, dueDate!, total, disputed].filter((value) => value !== undefined) : []),
    // A bare invoice number such as 7 would allow the digit 7 anywhere in a text.
    ...(answered && invoiceId !== undefined ? [`fatura ${invoiceId}`] : []),
  ];
};

export const collectionRules = (debt: DebtFacts, history: readonly Turn[], texts: Texts = 'full'): GuardRules => {
  const values = VALUES[texts](debt);
  const identity = [values['cnpj'], values['address']].filter((value) => value !== undefined);
  return {
    known: knownOf(
      debt,
      null,
      history.some((turn) => turn.from === 'debtor'),
      texts,
    ),
    required: [values['firstName']!, values['creditor']!, values['link']!, OPT_OUT[texts], ...identity],
    mayDisclose: debt.situation !== 'wrong_person',
    paid: false,
  };
};

export const replyRules = (understanding: Understanding, debt: DebtFacts, texts: Texts = 'full'): GuardRules => ({
  known: knownOf(debt, understanding.date, true, texts),
  required: carriesOptOut({ intent: understanding.intent, situation: debt.situation }) ? [OPT_OUT[texts]] : [],
  mayDisclose: understanding.intent !== 'wrong_person' && debt.situation !== 'wrong_person',
  paid: debt.situation === 'paid' || debt.situation === 'closed',
});
