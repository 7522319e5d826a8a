import { defineSignal } from '@temporalio/workflow';

/** Inputs are ids and plain numbers only, so that histories hold no name, number or text of a debtor. */
export interface CampaignInput {
  readonly clientId: string;
  readonly campaignId: string;
  readonly sandbox: boolean;
  /** The longest real wait of a sandbox campaign; null for a real one. */
  readonly maxWaitMs: number | null;
  /** Epoch milliseconds from which the first contacts of the campaign are planned. */
  readonly launchedAt: number;
  /** The debt after which a run that was continued as new goes on; absent at the start. */
  readonly after?: string;
  readonly started?: number;
  /** True when all collections were started and only their end is awaited. */
  readonly fannedOut?: boolean;
}

export interface CollectionInput {
  readonly clientId: string;
  readonly campaignId: string;
  readonly debtId: string;
  readonly sandbox: boolean;
  readonly maxWaitMs: number | null;
  /** How far the debt's clock is ahead of real time; continue-as-new carries it on. */
  readonly offsetMs: number;
  /** The first moment to wait for; null to start at once. */
  readonly firstAt: number | null;
}

/** The workflow names that an outbox row may carry, with their Temporal types. */
export const WORKFLOWS = {
  heartbeat: { type: 'heartbeat', summary: 'Shows that a worker does work' },
  'run-campaign': { type: 'runCampaign', summary: 'Starts the collection of each debt of a campaign' },
  'send-account-mail': { type: 'sendAccountMail', summary: 'Mails a client about its account' },
  // No code starts this workflow any more; it remains for runs and outbox rows of the previous version.
  'send-password-reset': { type: 'sendPasswordReset', summary: 'Mails a client the link to a new password' },
  'wake-paused': { type: 'wakePausedDebts', summary: 'Wakes debts whose campaign runs again' },
  'purge-expired': { type: 'purgeExpired', summary: 'Deletes sessions, tokens and counters that have expired' },
  'reconcile-payments': { type: 'reconcilePayments', summary: 'Asks about payments that nobody has notified' },
  'collect-debt': { type: 'collectDebt', summary: 'Collects one debt until it is paid, stopped or exhausted' },
} as const;

/** A signal carries no data and means "read the state again", so that a second delivery does no harm. */
export const paymentNoticed = defineSignal('paymentNoticed');
export const messageReceived = defineSignal('messageReceived');
/** The campaign, the client or the debt itself was paused, resumed, stopped or withdrawn. */
export const stateChanged = defineSignal('stateChanged');

/** The client asked for the receipt to be sent again. */
export const receiptWanted = defineSignal('receiptWanted');
export const SIGNALS = [paymentNoticed.name, messageReceived.name, receiptWanted.name, stateChanged.name] as const;

/**
 * The attributes that operators search by. They are set at the start, which is free; `DebtStatus` is set again at the
 * end, because each upsert is billed.
 */
export const SEARCH_ATTRIBUTES = {
  clientId: { name: 'ClientId', type: 'KEYWORD' },
  campaignId: { name: 'CampaignId', type: 'KEYWORD' },
  debtId: { name: 'DebtId', type: 'KEYWORD' },
  sandbox: { name: 'Sandbox', type: 'BOOL' },
  debtStatus: { name: 'DebtStatus', type: 'KEYWORD' },
} as const;
