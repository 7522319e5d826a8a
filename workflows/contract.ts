import { defineSignal } from '@temporalio/workflow';

import type { KnownContact, KnownEvent } from '../src/modules/debts/rules/debt-task.ts';

/** Inputs are ids and plain numbers only, so that histories hold no name, number or text of a debtor. */
export interface CampaignInput {
  readonly clientId: string;
  readonly campaignId: string;
  readonly sandbox: boolean;
  /** The longest real wait of a sandbox campaign; null for a real one. */
  readonly maxWaitMs: number | null;
  /** Epoch milliseconds from which the first contacts of the campaign are planned. */
  readonly launchedAt: number;
  /** The debt after which a run that was continued as new goes on planning; absent at the start. */
  readonly after?: string;
  readonly started?: number;
  /** True when all collections were started and only their end is awaited. */
  readonly fannedOut?: boolean;
  /** The position behind which debts are being planned that have come in since the launch. */
  readonly behind?: number;
  /** True when an operator was needed at the end of the run that was continued as new. */
  readonly needsOperator?: boolean;
  /** True when an earlier workflow of the campaign was lost, so that its debts may have had workflows too. */
  readonly restarted?: boolean;
}

/** The work of a collection, one activity each. */
export type Work = 'settling' | 'delivering' | 'answering' | 'contacting';

/** The state that a run which is continued as new gives to the next one. */
export interface CarriedOver {
  /** The attempt keys of activities that failed for good: the next attempt must find what an earlier one has booked. */
  readonly unfinished: Partial<Record<Work, string>>;
  /** When these are tried again. */
  readonly dueAgain?: Partial<Record<Work, number>>;
  readonly needsOperator: boolean;
  readonly paid: boolean;
  /** The furthest moment of a held clock; absent while it is free. */
  readonly heldAt?: number;
  readonly contacts: readonly KnownContact[];
  readonly lastHeard: KnownEvent | null;
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
  /** Whether the first run begins with a held clock. */
  readonly clockHeld?: boolean;
  /** True when an earlier workflow of the debt may have ended it. It is also true for each run without a parent. */
  readonly mayHaveEnded?: boolean;
  /** Absent in the first run. */
  readonly carried?: CarriedOver;
}

export interface AgreementInput {
  readonly clientId: string;
  readonly agreementId: string;
  readonly sandbox: boolean;
  readonly maxWaitMs: number | null;
  /** How far the clock of its debts is ahead of real time; continue-as-new carries it on. */
  readonly offsetMs: number;
  /** Whether the first run begins with a held clock. */
  readonly clockHeld?: boolean;
  /** Absent in the first run. */
  readonly carried?: {
    readonly nextAt: number | null;
    readonly owesSettlement: boolean;
    readonly needsOperator: boolean;
    /** The furthest moment of a held clock; absent while it is free. */
    readonly heldAt?: number;
  };
}

export interface ListingsInput {
  readonly clientId: string;
  readonly debtId: string;
  readonly maxWaitMs: number | null;
  /** How far the debt's clock is ahead of real time. */
  readonly offsetMs: number;
}

/** The debt names the person to the activity, so that no history does. */
export interface ErasureInput {
  readonly clientId: string;
  readonly debtId: string;
}

export interface PhoneRequestInput {
  readonly clientId: string;
  readonly requestId: string;
}

export interface WebhookInput {
  readonly clientId: string;
  readonly webhookId: string;
}

/** The workflow names that an outbox row may carry, with their Temporal types. */
export const WORKFLOWS = {
  heartbeat: { type: 'heartbeat', summary: 'Shows that a worker does work' },
  'run-campaign': { type: 'runCampaign', summary: 'Starts the collection of each debt of a campaign' },
  'send-account-mail': { type: 'sendAccountMail', summary: 'Mails a client about its account' },
  'ask-for-phone': { type: 'askForPhone', summary: 'Asks somebody for the phone' },
  'wake-paused': { type: 'wakePausedDebts', summary: 'Wakes debts whose campaign runs again' },
  'inbox-digests': { type: 'mailInboxDigests', summary: 'Mails to clients what waits for their staff' },
  'purge-expired': {
    type: 'purgeExpired',
    summary: 'Deletes what has expired: sessions, tokens, counters, timelines of ended debts',
  },
  'erase-debtor': { type: 'eraseDebtor', summary: 'Erases the personal data of a debtor' },
  'check-senders': { type: 'checkSenders', summary: 'Asks the channels about the senders of clients' },
  'restart-lost': { type: 'restartLost', summary: 'Starts campaigns and collections whose workflows are lost' },
  'reconcile-payments': { type: 'reconcilePayments', summary: 'Asks about payments that nobody has notified' },
  'deliver-webhooks': { type: 'deliverWebhooks', summary: 'Posts events to a webhook of a client' },
  'follow-agreement': {
    type: 'followAgreement',
    summary: 'Follows one agreement until it is kept, broken or cancelled',
  },
  'follow-listings': {
    type: 'followListings',
    summary: 'Reminds of listings at bureaus until they are removed',
  },
  'collect-debt': { type: 'collectDebt', summary: 'Collects one debt until it is paid, stopped or exhausted' },
} as const;

/**
 * A signal carries no data that a workflow reads (its cause stands in the history, for operators), and means "read the
 * state again", so that a second delivery does no harm. Those of the simulated clock alone are commands: a day that
 * passes twice is a day of a test.
 */
export const paymentNoticed = defineSignal('paymentNoticed');
export const messageReceived = defineSignal('messageReceived');
/** The campaign, the client or the debt itself was paused, resumed, stopped or withdrawn. */
export const stateChanged = defineSignal('stateChanged');

/** Staff hold the simulated clocks of a campaign, let a day pass, or release them. Workflows of real debts ignore it. */
export const clockHeld = defineSignal('clockHeld');
export const dayPassed = defineSignal('dayPassed');
export const clockReleased = defineSignal('clockReleased');

/** The client asked for the receipt to be sent again. */
export const receiptWanted = defineSignal('receiptWanted');
/** Events wait for a webhook. */
export const deliveriesDue = defineSignal('deliveriesDue');
export const SIGNALS = [
  paymentNoticed.name,
  messageReceived.name,
  receiptWanted.name,
  stateChanged.name,
  clockHeld.name,
  dayPassed.name,
  clockReleased.name,
  deliveriesDue.name,
] as const;

/**
 * The attributes that operators search by. The first four are set at the start, which is free. `Attention` is
 * `NEEDS_OPERATOR` or absent, and `EndedAs` is the status in which a collection has ended: each upsert is billed, so the
 * status on the way is in the database, and in the details of the run.
 */
export const SEARCH_ATTRIBUTES = {
  clientId: { name: 'ClientId', type: 'KEYWORD' },
  campaignId: { name: 'CampaignId', type: 'KEYWORD' },
  debtId: { name: 'DebtId', type: 'KEYWORD' },
  sandbox: { name: 'Sandbox', type: 'BOOL' },
  attention: { name: 'Attention', type: 'KEYWORD' },
  endedAs: { name: 'EndedAs', type: 'KEYWORD' },
} as const;
