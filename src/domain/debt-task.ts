/** The clock of one debt, as its workflow passes it to an activity. */
export interface DebtClock {
  /** The debt's own time when the workflow scheduled the activity. */
  readonly at: number;
  /** The number of milliseconds by which the debt's clock is ahead of real time. */
  readonly offsetMs: number;
  /** True for a simulated clock: `at` is then the exact moment, however late the activity runs. */
  readonly exact: boolean;
}

/** What a workflow asks for: one attempt of its work on one debt. */
export interface DebtTask {
  readonly clientId: string;
  readonly debtId: string;
  readonly clock: DebtClock;
  /** Identifies this attempt of the workflow. It stays the same when Temporal retries the activity. */
  readonly attemptKey: string;
}
