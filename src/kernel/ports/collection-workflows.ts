import type { AccountMailRequest } from '../account-mail.ts';
import type { OutboxKind, OutboxPayload } from './outbox-store.ts';

/** A request to Temporal, which is written to the outbox in the same transaction as the change that requires it. */
export interface WorkflowRequest {
  readonly kind: OutboxKind;
  readonly workflow:
    | 'run-campaign'
    | 'collect-debt'
    | 'follow-agreement'
    | 'follow-listings'
    | 'send-account-mail'
    | 'ask-for-phone'
    | 'deliver-webhooks'
    | 'erase-debtor';
  readonly workflowId: string;
  readonly signal: string | null;
  readonly payload: OutboxPayload;
  /** At most one request with the same key waits at a time. */
  readonly dedupeKey: string | null;
  readonly availableAt?: Date;
}

/** A signal carries no data. Most mean "read the state again". */
export type CollectionSignal =
  | 'paymentNoticed'
  | 'messageReceived'
  | 'receiptWanted'
  | 'stateChanged'
  // Commands to the simulated clock of a debt.
  | 'clockHeld'
  | 'dayPassed'
  | 'clockReleased';

/** Why a collection reads its state again, as its history shows it. It names nobody. */
export type SignalCause =
  | 'resumed'
  | 'withdrawn'
  | 'corrected'
  | 'phone changed'
  | 'message not delivered'
  | 'pause over'
  | 'agreed'
  | 'agreement ended';

export interface CampaignRef {
  readonly id: string;
  readonly clientId: string;
  readonly sandbox: boolean;
}

export interface DebtRef {
  readonly id: string;
  readonly clientId: string;
  readonly campaignId: string;
  readonly sandbox: boolean;
  readonly clockOffsetMs: number;
  /** Whether a run that this starts begins with a held clock, because staff hold those of its campaign. */
  readonly clockHeld?: boolean;
}

export interface AgreementRef {
  readonly id: string;
  readonly clientId: string;
  readonly sandbox: boolean;
  /** How far the clock of its debts is ahead of real time. */
  readonly clockOffsetMs: number;
  /** Whether its simulated clock begins held, because those of its debts are. */
  readonly clockHeld?: boolean;
}

/** What the workflow of an agreement is told: a payment to ask about, or a state to read again. */
export type AgreementSignal = Extract<
  CollectionSignal,
  'paymentNoticed' | 'stateChanged' | 'clockHeld' | 'dayPassed' | 'clockReleased'
>;

export interface CollectionWorkflows {
  /**
   * Starts the workflow of a campaign that was launched at `launchedAt`. `restarted` says that an earlier workflow of it
   * was lost.
   */
  startCampaign(campaign: CampaignRef, launchedAt: Date, how?: { readonly restarted?: true }): WorkflowRequest;
  wakeCampaign(campaignId: string): WorkflowRequest;
  /**
   * Makes the campaign's workflow plan and start debts that have come into it since its launch, and starts the workflow
   * when it does not run. Requests that follow each other within moments become one signal.
   */
  takeDebts(campaign: CampaignRef, launchedAt: Date, now: Date): WorkflowRequest;
  /** Signals the debt's workflow; when no run exists or the last one has ended, a new run handles the signal. */
  wakeDebt(debt: DebtRef, signal: CollectionSignal, cause?: SignalCause): WorkflowRequest;
  /** Signals the agreement's workflow, which is started when it does not run. */
  wakeAgreement(agreement: AgreementRef, signal: AgreementSignal): WorkflowRequest;
  /** Makes the workflow of the debt's listings at bureaus read the state again; it is started when it does not run. */
  followListings(debt: DebtRef): WorkflowRequest;
  /** For the routine that finds a debt and signals it as `wakeDebt(debt, 'paymentNoticed')` would. */
  readonly sandboxMaxWaitMs: number;
  /**
   * Makes every running collection of a campaign, or every one and every agreement of a client, read its state again;
   * Temporal signals each of them.
   */
  wakeAll(target: { readonly campaignId: string } | { readonly clientId: string }, now: Date): WorkflowRequest[];
  campaignWorkflowId(campaignId: string): string;
  /** Asks somebody for the phone, as the stored request says. */
  askForPhone(request: { readonly clientId: string; readonly requestId: string }): WorkflowRequest;
  /** Mails the client. Of several requests with one `requestId` the first counts. */
  mailClient(request: AccountMailRequest): WorkflowRequest;
}
