import type { OutboxKind, OutboxPayload } from './outbox-store.ts';

/** A wish for the workflow engine, to be written to the outbox in the transaction that made it necessary. */
export interface WorkflowRequest {
  readonly kind: OutboxKind;
  readonly workflow: 'run-campaign' | 'collect-debt' | 'send-account-mail';
  readonly workflowId: string;
  readonly signal: string | null;
  readonly payload: OutboxPayload;
  /** Of requests with one key only one waits at a time. */
  readonly dedupeKey: string | null;
  readonly availableAt?: Date;
}

/** A signal carries nothing and means "look again". */
export type CollectionSignal = 'paymentNoticed' | 'messageReceived' | 'receiptWanted' | 'stateChanged';

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
}

export interface CollectionWorkflows {
  /** Starts the workflow of a campaign that was launched at that moment. */
  startCampaign(campaign: CampaignRef, launchedAt: Date): WorkflowRequest;
  wakeCampaign(campaignId: string): WorkflowRequest;
  /** Wakes the debt's workflow; when its run has ended, or never began, a new one handles what has come. */
  wakeDebt(debt: DebtRef, signal: CollectionSignal): WorkflowRequest;
  /** What `wakeDebt(debt, 'paymentNoticed')` is made of, for the one statement that finds the debt and wakes it. */
  readonly paymentNotice: {
    readonly kind: OutboxKind;
    readonly workflow: 'collect-debt';
    readonly workflowIdPrefix: string;
    readonly signal: CollectionSignal;
    readonly dedupePrefix: string;
    readonly sandboxMaxWaitMs: number;
  };
  /** Every running collection of a campaign or a client looks again; the engine does the fan-out. */
  wakeAll(target: { readonly campaignId: string } | { readonly clientId: string }, now: Date): WorkflowRequest[];
  campaignWorkflowId(campaignId: string): string;
}
