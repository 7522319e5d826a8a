import { DEBT_STATUSES, type DebtStatus, LIVE_DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { ENDS_LISTINGS } from './bureau-listings.ts';

/** Why a debt waits for the client's staff. */
export const INBOX_REASONS = [
  'disputed',
  'hardship',
  'negotiate',
  'human',
  'underpaid',
  'duplicate',
  'overpaid',
  'refunded',
  'undelivered',
  'attachment',
  'settings',
  'said_paid',
  'question',
  'agreement',
  'negativation',
  'rights',
] as const;
export type InboxReason = (typeof INBOX_REASONS)[number];

/**
 * Who has to act next: `open` the client's staff; `waiting` the debtor, whom the staff have answered; `snoozed` nobody
 * before a moment that the staff have chosen.
 */
export const INBOX_STATES = ['open', 'snoozed', 'waiting'] as const;
export type InboxState = (typeof INBOX_STATES)[number];

/**
 * The statuses into which an item of each reason continues when the debt changes its status; a change to any other
 * status ends it. Null: the status decides nothing, because money that is to be returned, or a file that was sent, does
 * not depend on it.
 */
const CONTINUES_IN: Readonly<Record<InboxReason, readonly DebtStatus[] | null>> = {
  // An opt-out ends messages only. What the person asked for before or with it still waits for the client.
  disputed: ['DISPUTED', 'OPTED_OUT'],
  hardship: ['ON_HOLD', 'DISPUTED', 'OPTED_OUT'],
  negotiate: ['ON_HOLD', 'DISPUTED', 'OPTED_OUT'],
  human: ['ON_HOLD', 'DISPUTED', 'OPTED_OUT'],
  // An agreement waits for the decision as well.
  said_paid: ['ON_HOLD', 'AGREEMENT', 'DISPUTED', 'OPTED_OUT'],
  underpaid: ['ON_HOLD', 'DISPUTED', 'OPTED_OUT'],
  duplicate: null,
  overpaid: null,
  refunded: null,
  undelivered: ['QUEUED', 'IN_COLLECTION', 'PROMISED', 'UNREACHABLE'],
  attachment: null,
  // The law gives the answer a term of its own, whatever happens to the debt.
  rights: null,
  settings: LIVE_DEBT_STATUSES,
  // It is about what has stopped an agreement, whose end decides.
  agreement: ['AGREEMENT'],
  // Only a debt that is paid or agreed about may no longer be listed at a bureau.
  negativation: ENDS_LISTINGS,
  question: DEBT_STATUSES.filter((status) => status !== 'PAID' && status !== 'STOPPED'),
};

/** Returns the reasons that end when a debt gets this status. */
export const reasonsEndedBy = (status: DebtStatus): InboxReason[] =>
  INBOX_REASONS.filter((reason) => CONTINUES_IN[reason]?.includes(status) === false);

/** The reason for which a debt waits because of its status alone. */
export const REASON_OF_STATUS: Partial<Record<DebtStatus, InboxReason>> = {
  DISPUTED: 'disputed',
  UNREACHABLE: 'undelivered',
};

/** The console's page of the inbox. E-mails that were sent contain this path. */
export const INBOX_PATH = '/atendimento';
