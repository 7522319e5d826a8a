export const OPERATOR_INVITATION_DAYS = 3;
/** So many wrong codes end an invitation. */
export const INVITATION_TRIES = 10;

/** A session ends after so long without a call, and after so long in any case. */
export const IDLE_MINUTES = 30;
export const LONGEST_HOURS = 10;

/** So many codes an hour are tried for one operator. */
export const OPERATOR_CODES_PER_HOUR = 20;

/** What an operator may have checked of a company before it counts as verified. */
export const CHECKS = ['name', 'cnpj', 'address', 'senders', 'collects_for'] as const;
export type Check = (typeof CHECKS)[number];

/** Without these nobody has checked a company. */
export const NEEDED_CHECKS: readonly Check[] = ['name', 'cnpj'];

/** Which clients an operator looks for: `unverified` leaves out those that are cancelled. */
export const CLIENT_FILTERS = ['all', 'unverified', 'onboarding', 'active', 'paused', 'cancelled'] as const;
export type ClientFilter = (typeof CLIENT_FILTERS)[number];

/** What waits, as `operator_waiting` names it. */
export const BACKLOG_KINDS = [
  'outbox_due',
  'outbox_parked',
  'messages',
  'payment_notifications',
  'webhook_deliveries',
] as const;
export type BacklogKind = (typeof BACKLOG_KINDS)[number];

export const OPERATOR_ACTIONS = [
  'operator_invited',
  'operator_joined',
  'operator_removed',
  'login',
  'login_failed',
  'login_locked',
  'logout',
  'client_read',
  'client_verified',
  'client_paused',
  'client_resumed',
  'client_cancelled',
] as const;
export type OperatorAction = (typeof OPERATOR_ACTIONS)[number];

/** What somebody has to look at, as `operator_problems` names it. */
export const PROBLEM_KINDS = [
  'channel_failing',
  'channel_paused',
  'account_failing',
  'certificate_ending',
  'webhook_disabled',
  'webhook_failing',
] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];
