import { agreedAmountsStay, nothingIsGivenUpBeyondAgreed, offersAreWithinPolicy } from './agreed-amounts.ts';
import {
  agreementMoneyIsCredited,
  everyAcceptanceAnsweredOnce,
  everyAgreementIsFollowed,
  keptAgreementIsOver,
  noBreachWithoutWarning,
  noNoticeOfPaidInstalment,
  noNoticeTwice,
} from './agreements.ts';
import {
  contactsInsideHours,
  contactsWithinCaps,
  everyContactIsBooked,
  messagesAreAsTheChannelSaysThem,
  noContactAfterOptOut,
  noContactAfterPayment,
  noContactBeforeDue,
  noContactDuringDispute,
  noContactDuringPromise,
  noContactTwice,
  noReplyWithoutMessage,
  remindersOnlyRemind,
} from './contacts.ts';
import type { Facts, Rule, Violation } from './facts.ts';
import { everyPaymentSettledOnce, everySettlementHasOneReceipt, noReceiptSentTwice } from './payments.ts';
import {
  everyDebtEndsForAReason,
  noDebtLost,
  noEventUndelivered,
  nothingIncomingUnhandled,
  noWorkflowFailed,
} from './work.ts';

export const RULES: readonly Rule[] = [
  noDebtLost,
  everyDebtEndsForAReason,
  contactsInsideHours,
  contactsWithinCaps,
  everyContactIsBooked,
  noContactTwice,
  noContactAfterOptOut,
  noContactDuringDispute,
  noContactDuringPromise,
  noContactBeforeDue,
  remindersOnlyRemind,
  noContactAfterPayment,
  noReplyWithoutMessage,
  messagesAreAsTheChannelSaysThem,
  everyPaymentSettledOnce,
  everySettlementHasOneReceipt,
  noReceiptSentTwice,
  noWorkflowFailed,
  nothingIncomingUnhandled,
  noEventUndelivered,
  agreementMoneyIsCredited,
  noNoticeOfPaidInstalment,
  noNoticeTwice,
  noBreachWithoutWarning,
  keptAgreementIsOver,
  everyAgreementIsFollowed,
  everyAcceptanceAnsweredOnce,
  agreedAmountsStay,
  offersAreWithinPolicy,
  nothingIsGivenUpBeyondAgreed,
];

/** Returns every violation, of all rules or of those that are given. */
export const check = (facts: Facts, rules: readonly Rule[] = RULES): readonly Violation[] =>
  rules.flatMap((rule) => rule(facts).map((what) => ({ rule: rule.name, what })));
