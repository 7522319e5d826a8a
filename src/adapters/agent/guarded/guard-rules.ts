import { OPT_OUT_LINE } from '../../../documents/messages/collection.ts';
import { carriesOptOut } from '../../../documents/messages/replies.ts';
import { messageValues } from '../../../documents/messages/values.ts';
import type { GuardRules } from '../../../domain/message-guard.ts';
import type { DebtFacts, Turn, Understanding } from '../../../ports/collection-agent.ts';

/** Amount and due date only once the debtor has answered: until then nobody knows who holds the phone. */
const knownOf = (debt: DebtFacts, date: string | null, answered: boolean): string[] => {
  const { invoiceId, amount, dueDate, ...always } = messageValues(debt, date);
  return [
    ...Object.values(always),
    OPT_OUT_LINE,
    ...(answered ? [amount!, dueDate!] : []),
    // A bare invoice number such as 7 would let any 7 through.
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
