/** What a search for lost workflows is asked to do. The schedule asks for everything that is overdue. */
export interface RestartTask {
  /** True when an operator asks: also what is not overdue is started again. */
  readonly atOnce?: boolean;
  /** Limits the search to one campaign. */
  readonly campaignId?: string;
}

/** A debt about which Temporal and the database do not agree, so that its client has to decide. */
export interface HeldDebt {
  readonly debtId: string;
  readonly campaignId: string;
  readonly clientId: string;
}

export interface FoundCampaign {
  readonly campaignId: string;
  /**
   * - `started`: its workflow was lost.
   * - `completed`: it had no live debt left, and its end had been missed.
   * - `told`: it has ended, and its workflow still waited for the end.
   * - `woken`: debts have come into it that its workflow did not plan.
   */
  readonly did: 'started' | 'completed' | 'told' | 'woken';
}

export interface RestartReport {
  /** Why nothing was looked for: the campaign does not exist, or does not run. */
  readonly refused: 'unknown_campaign' | 'campaign_not_running' | null;
  /** The collections that Temporal was asked about, and how many of them run. */
  readonly asked: number;
  readonly running: number;
  /** Running collections that were long overdue and were told to look at their debts again. */
  readonly woken: number;
  readonly started: number;
  readonly heldCount: number;
  /** At most `MAX_LISTED`. */
  readonly held: readonly HeldDebt[];
  readonly campaigns: readonly FoundCampaign[];
  /** True when the limit of one activity was reached. */
  readonly more: boolean;
}

/** A report while it is made. */
export type RestartDraft = { -readonly [Member in keyof RestartReport]: RestartReport[Member] } & {
  readonly held: HeldDebt[];
  readonly campaigns: FoundCampaign[];
};

/** An operator reads a report, so it lists at most this many debts and campaigns. The counts are complete. */
export const MAX_LISTED = 1_000;
