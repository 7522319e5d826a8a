import type { AccountMail } from '../src/domain/account-mail.ts';

/** Types only: the one file of this folder that workflows may import. */
export interface HeartbeatResult {
  /** The worker's identity as the engine's UI shows it. */
  readonly worker: string;
}

export interface CampaignTask {
  readonly clientId: string;
  readonly campaignId: string;
}

export interface PlanTask extends CampaignTask {
  /** The last debt of the page before; null at the start. */
  readonly after: string | null;
}

export interface PlannedDebt {
  readonly debtId: string;
  /** Epoch milliseconds of the first allowed contact; null: none is, and its collection says why. */
  readonly firstAt: number | null;
}

export interface PlanPage {
  readonly debts: readonly PlannedDebt[];
  /** Null when this page was the last. */
  readonly next: string | null;
}

export interface DebtTask {
  readonly clientId: string;
  readonly debtId: string;
  /** The debt's own time, and how far it runs ahead of real time. */
  readonly clock: { readonly at: number; readonly offsetMs: number; readonly exact: boolean };
  /** One for each try in the workflow, the same when the activity is tried again. */
  readonly attemptKey: string;
}

/**
 * What a workflow does next: end with `done`, wait until `nextAt`, or, when both are null, wait to be told. With both it
 * is paid, and a receipt is to be sent at `nextAt`.
 */
export interface Outlook {
  readonly nextAt: number | null;
  readonly done: string | null;
  /** The channel refuses this client's messages: nothing that the service does by itself mends that. */
  readonly needsOperator: boolean;
}

export interface PasswordResetRequest {
  readonly clientId: string;
  readonly requestId: string;
}

export interface AccountMailRequest extends PasswordResetRequest {
  readonly kind: AccountMail;
}

export interface Activities {
  heartbeat(): Promise<HeartbeatResult>;
  /** Gives every debt of the campaign its score. */
  scoreCampaign(task: CampaignTask): Promise<void>;
  /** The next debts to start, best score first, each with its first allowed moment. */
  planCollection(task: PlanTask): Promise<PlanPage>;
  /** Whether no debt of the campaign is left to work. */
  reviewCampaign(task: CampaignTask): Promise<{ readonly over: boolean }>;
  /** Makes the next contact if it is time and the policy agrees. */
  contactDebtor(task: DebtTask): Promise<Outlook>;
  /** Issues the receipt of a paid debt, and sends it by every way that is due. */
  deliverReceipt(task: DebtTask): Promise<Outlook>;
  /** Understands, obeys and answers what the debtor has written. */
  answerDebtor(task: DebtTask): Promise<Outlook>;
  /** Asks the provider about what it has notified, and does what it says. */
  settlePayment(task: DebtTask): Promise<Outlook>;
  /** Asks the provider about charges that it has not notified. */
  reconcileCharges(): Promise<{ readonly asked: number; readonly news: number }>;
  /** Wakes debts whose campaign runs again and who have not noticed. */
  wakePaused(): Promise<{ readonly woken: number }>;
  /** Returns how many rows went. */
  purgeExpired(): Promise<number>;
  /** A link that the mail brings is made here, so that no history holds its token. */
  sendAccountMail(request: AccountMailRequest): Promise<void>;
  /** Of workflows that the version before has started. */
  sendPasswordReset(request: PasswordResetRequest): Promise<void>;
}
