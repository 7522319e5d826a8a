import { defineSignal } from '@temporalio/workflow';
import type { AccountMail } from '../src/domain/account-mail.ts';

/** Inputs are ids and plain numbers only: histories hold no name, number or text of a debtor. */
export interface CampaignInput {
  readonly clientId: string;
  readonly campaignId: string;
  readonly sandbox: boolean;
  /** Longest real wait of a sandbox world; null in the real one. */
  readonly maxWaitMs: number | null;
  /** Epoch milliseconds; the campaign's first contacts are planned from here. */
  readonly launchedAt: number;
  /** Where a run that was continued as new goes on: after this debt; absent at the start. */
  readonly after?: string;
  readonly started?: number;
  /** All collections were started: what is left is to wait for their end. */
  readonly fannedOut?: boolean;
}

export interface CollectionInput {
  readonly clientId: string;
  readonly campaignId: string;
  readonly debtId: string;
  readonly sandbox: boolean;
  readonly maxWaitMs: number | null;
  /** How far the debt's clock runs ahead; continue-as-new carries it on. */
  readonly offsetMs: number;
  /** The moment to wait for first; null: look at once. */
  readonly firstAt: number | null;
}

/** Of runs that began before `send-account-mail` existed. */
export interface PasswordResetInput {
  readonly clientId: string;
  readonly requestId: string;
}

export interface AccountMailInput {
  readonly clientId: string;
  readonly requestId: string;
  readonly kind: AccountMail;
}

/** The names an outbox row may carry, and what the engine calls them. */
export const WORKFLOWS = {
  heartbeat: { type: 'heartbeat', summary: 'Shows that a worker does work' },
  'run-campaign': { type: 'runCampaign', summary: 'Starts the collection of each debt of a campaign' },
  'send-account-mail': { type: 'sendAccountMail', summary: 'Mails a client about its account' },
  // Nothing starts it any more: for runs and outbox rows of the version before.
  'send-password-reset': { type: 'sendPasswordReset', summary: 'Mails a client the link to a new password' },
  'wake-paused': { type: 'wakePausedDebts', summary: 'Wakes debts whose campaign runs again' },
  'purge-expired': { type: 'purgeExpired', summary: 'Deletes sessions, tokens and counters that have expired' },
  'reconcile-payments': { type: 'reconcilePayments', summary: 'Asks about payments that nobody has notified' },
  'collect-debt': { type: 'collectDebt', summary: 'Collects one debt until it is paid, stopped or exhausted' },
} as const;

/**
 * What the engine starts by itself, for ever. An hour is nothing to a row that lived thirty days; whoever resumes a
 * campaign looks at it for the next minutes.
 */
export const SCHEDULES = [
  { scheduleId: 'purge-expired', workflow: 'purge-expired', everyMs: 3_600_000 },
  { scheduleId: 'wake-paused', workflow: 'wake-paused', everyMs: 60_000 },
  { scheduleId: 'reconcile-payments', workflow: 'reconcile-payments', everyMs: 120_000 },
] as const;

export type WorkflowName = keyof typeof WORKFLOWS;

/** A signal carries nothing: it means "look again", so that one that comes twice does no harm. */
export const paymentNoticed = defineSignal('paymentNoticed');
export const messageReceived = defineSignal('messageReceived');
/** The campaign, the client or the debt itself was paused, resumed, stopped or withdrawn. */
export const stateChanged = defineSignal('stateChanged');

/** The client asked for a receipt to be sent once more. */
export const receiptWanted = defineSignal('receiptWanted');
export const SIGNALS = [paymentNoticed.name, messageReceived.name, receiptWanted.name, stateChanged.name] as const;

/** What operators can search by. Set at the start (free); `DebtStatus` once more at the end (each upsert is billed). */
export const SEARCH_ATTRIBUTES = {
  clientId: { name: 'ClientId', type: 'KEYWORD' },
  campaignId: { name: 'CampaignId', type: 'KEYWORD' },
  debtId: { name: 'DebtId', type: 'KEYWORD' },
  sandbox: { name: 'Sandbox', type: 'BOOL' },
  debtStatus: { name: 'DebtStatus', type: 'KEYWORD' },
} as const;
