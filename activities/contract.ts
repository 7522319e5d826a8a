import type { AccountMailRequest } from '../src/kernel/account-mail.ts';
import type { AgreementNext, AgreementTask } from '../src/modules/agreements/rules/agreement-task.ts';
import type { ListingNext, ListingTask } from '../src/modules/bureaus/rules/listing-task.ts';
import type { RestartReport, RestartTask } from '../src/modules/collection/rules/restart-report.ts';
import type { DebtKnowledge, DebtTask } from '../src/modules/debts/rules/debt-task.ts';
import type { NextStep } from '../src/modules/debts/rules/next-step.ts';

/** This file holds types only, because it is the only file of this folder that workflows may import. */
export interface HeartbeatResult {
  /** The worker's identity as the Temporal UI shows it. */
  readonly worker: string;
}

export interface CampaignTask {
  readonly clientId: string;
  readonly campaignId: string;
}

/** Concerns the debts that have come into the campaign since it was launched. */
export interface LaterDebts {
  /** The position in front of the first of them. Absent for all debts of the campaign. */
  readonly behind?: number;
}

export interface PlanTask extends CampaignTask, LaterDebts {
  /** The last debt of the previous page; null at the start. */
  readonly after: string | null;
}

export interface PlannedDebt {
  readonly debtId: string;
  /**
   * Epoch milliseconds of the first allowed contact; null when none is allowed, and the collection records the reason.
   */
  readonly firstAt: number | null;
}

export interface PlanPage {
  readonly debts: readonly PlannedDebt[];
  /** Null after the last page. */
  readonly next: string | null;
  /** How far the clock of the service is ahead of real time; absent when it is not. */
  readonly clockOffsetMs?: number;
  /** True when staff hold the simulated clocks of the campaign. */
  readonly clockHeld?: boolean;
  /** Where the console is, for links in Temporal's UI; absent when no address is configured. */
  readonly consoleUrl?: string;
}

export interface CampaignReview {
  /** True when no live debt is left. */
  readonly over: boolean;
  /** Debts that are queued and not planned yet. It is absent when there are none, and during a pause. */
  readonly later?: Required<LaterDebts>;
}

export interface ReconciliationRun {
  readonly asked: number;
  readonly changed: number;
  /** Whether charges may still be due. */
  readonly more: boolean;
}

/** What one run of the purge of ended debts has done. */
export interface PurgedDebts {
  readonly debts: number;
  readonly messages: number;
  readonly events: number;
  /** Debts whose retention has ended and about which something is still open. */
  readonly waiting: number;
}

export interface ErasureTask {
  readonly clientId: string;
  readonly debtId: string;
}

export interface WebhookTask {
  readonly clientId: string;
  readonly webhookId: string;
}

export interface PhoneRequestTask {
  readonly clientId: string;
  readonly requestId: string;
}

/** When to look at a request for a phone again. */
export interface PhoneRequestNext {
  /** Null once it is done. */
  readonly waitMs: number | null;
}

export interface DeliveryRun {
  /** How long until the next delivery is due; null when none waits. */
  readonly waitMs: number | null;
}

/** The next step of a debt's workflow, with what the workflow then remembers. */
export type DebtStep = NextStep & {
  readonly known: DebtKnowledge;
  /** How far the workflow's clock must be ahead of real time from now on; absent while it is right. */
  readonly clockOffsetMs?: number;
};

export interface Activities {
  heartbeat(): Promise<HeartbeatResult>;
  /** Computes the score of every queued debt of the campaign. */
  scoreCampaign(task: CampaignTask & LaterDebts): Promise<void>;
  /** Returns the next debts to start, best score first, each with its first allowed moment. */
  planCollection(task: PlanTask): Promise<PlanPage>;
  /** Returns whether the campaign has no live debt left, and which debts have no plan yet. */
  reviewCampaign(task: CampaignTask): Promise<CampaignReview>;
  /** Makes the next contact if it is due and the policy allows it. */
  contactDebtor(task: DebtTask): Promise<DebtStep>;
  /** Issues the receipt of a paid debt, and sends it by every channel that is due. */
  deliverReceipt(task: DebtTask): Promise<DebtStep>;
  /** Interprets what the debtor has written, carries it out and answers it. */
  answerDebtor(task: DebtTask): Promise<DebtStep>;
  /** Asks the provider about the payments that it has notified, and records its answer. */
  settlePayment(task: DebtTask): Promise<DebtStep>;
  /** Asks the provider about the payments of an agreement that it has notified, and records its answer. */
  settleAgreement(task: AgreementTask): Promise<void>;
  /** Sends, breaks or completes what an agreement has due, and issues the receipts of its instalments. */
  followAgreement(task: AgreementTask): Promise<AgreementNext>;
  /** Asks the staff to remove what a paid debt has at bureaus, and returns when to ask again; null once nothing stands. */
  followListings(task: ListingTask): Promise<ListingNext>;
  /** Asks the provider about charges for which no notification has come, for about half a minute. */
  reconcileCharges(): Promise<ReconciliationRun>;
  /** Mails to each client what waits for its staff, and returns how many mails were sent. */
  mailInboxDigests(): Promise<number>;
  /** Signals debts whose campaign runs again and whose workflow has missed the signal. */
  wakePaused(): Promise<{ readonly woken: number }>;
  /** Asks the channels about senders of clients, and returns how many were asked about. */
  checkSenders(): Promise<number>;
  /** Asks a person for the phone, unless it is not the turn of the request yet. */
  askForPhone(task: PhoneRequestTask): Promise<PhoneRequestNext>;
  /** Starts campaigns and collections whose workflows are lost. */
  restartLost(task: RestartTask): Promise<RestartReport>;
  /** Posts the events that are due for a webhook, for about a minute. */
  deliverDue(task: WebhookTask): Promise<DeliveryRun>;
  /** Erases the person of a debt, in the debts of its client that have ended. */
  eraseDebtor(task: ErasureTask): Promise<void>;
  /** Returns how many rows were deleted. */
  purgeExpired(): Promise<number>;
  /** Deletes timelines and messages of debts that ended longer ago than the retention of their client, for minutes. */
  purgeEndedDebts(): Promise<PurgedDebts>;
  /** The activity creates the link that the mail contains, so that no history holds its token. */
  sendAccountMail(request: AccountMailRequest): Promise<void>;
}
