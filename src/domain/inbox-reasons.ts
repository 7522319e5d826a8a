import type { DebtStatus } from './debt-status.ts';

/** Why a debt waits for the client's staff. */
export const INBOX_REASONS = [
  'disputed',
  'hardship',
  'negotiate',
  'human',
  'underpaid',
  'duplicate',
  'refunded',
  'undelivered',
  'attachment',
] as const;
export type InboxReason = (typeof INBOX_REASONS)[number];

/**
 * The statuses into which an item of each reason continues when the debt changes its status; a change to any other
 * status ends it. Null: the status decides nothing, because money that is to be returned, or a file that was sent, does
 * not depend on it.
 */
const CONTINUES_IN: Readonly<Record<InboxReason, readonly DebtStatus[] | null>> = {
  disputed: ['DISPUTED'],
  hardship: ['ON_HOLD', 'DISPUTED'],
  negotiate: ['ON_HOLD', 'DISPUTED'],
  human: ['ON_HOLD', 'DISPUTED'],
  underpaid: ['ON_HOLD', 'DISPUTED', 'OPTED_OUT'],
  duplicate: null,
  refunded: null,
  undelivered: ['QUEUED', 'IN_COLLECTION', 'PROMISED', 'UNREACHABLE'],
  attachment: null,
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
