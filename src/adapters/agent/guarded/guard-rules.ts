import { OPT_OUT_LINE } from '../../../documents/messages/collection.ts';
import { carriesOptOut } from '../../../documents/messages/replies.ts';
import { messageValues } from '../../../documents/messages/values.ts';
import type { GuardRules } from '../../../domain/message-guard.ts';
import type { DebtFacts, Turn, Understanding } from '../../../ports/collection-agent.ts';

/**
 * A message names the amount and the due date only after the debtor has answered, because the phone may be somebody
 * else's.
 */
const knownOf = (debt: DebtFacts, date: string | null, answered: boolean): string[] => {
  const { invoiceId, amount, total, dueDate, disputed, count, ...always } = messageValues(debt, date);
  return [
    ...Object.values(always),
    OPT_OUT_LINE,
    // A bare count such as 3 would allow the digit 3 anywhere in a text.
    ...(count === undefined ? [] : [`${count} pagamentos`, `${count} contas`]),
    ...(answered ? [amount!, dueDate!, total, disputed].filter((value) => value !== undefined) : []),
    // A bare invoice number such as 7 would allow the digit 7 anywhere in a text.
    ...(answered && invoiceId !== undefined ? [`fatura ${invoiceId}`] : []),
  ];
};

export const collectionRules = (debt: DebtFacts, history: readonly Turn[]): GuardRules => {
  const values = messageValues(debt);
  const identity = [values['cnpj'], values['address']].filter((value) => value !== undefined);
  return {
    known: knownOf(
      debt,
      null,
      history.some((turn) => turn.from === 'debtor'),
    ),
    required: [values['firstName']!, values['creditor']!, values['link']!, OPT_OUT_LINE, ...identity],
    mayDisclose: debt.situation !== 'wrong_person',
    paid: false,
  };
};

export const replyRules = (understanding: Understanding, debt: DebtFacts): GuardRules => ({
  known: knownOf(debt, understanding.date, true),
  required: carriesOptOut({ intent: understanding.intent, situation: debt.situation }) ? [OPT_OUT_LINE] : [],
  mayDisclose: understanding.intent !== 'wrong_person' && debt.situation !== 'wrong_person',
  paid: debt.situation === 'paid' || debt.situation === 'closed',
});
