import type { DebtStatus } from '../../../kernel/debt-status.ts';

/** The clock of one debt, as its workflow passes it to an activity. */
export interface DebtClock {
  /** The debt's own time when the workflow scheduled the activity. */
  readonly at: number;
  /** The number of milliseconds by which the debt's clock is ahead of real time. */
  readonly offsetMs: number;
  /** True for a simulated clock: `at` is then the exact moment, however late the activity runs. */
  readonly exact: boolean;
}

/** A contact that was booked and did not certainly fail: the id of its message, and its moment in milliseconds. */
export interface KnownContact {
  readonly id: string;
  readonly at: number;
}

/** An entry of a debt's timeline, by its number and its moment in milliseconds. */
export interface KnownEvent {
  readonly seq: number;
  readonly at: number;
}

/**
 * What the database knows of a debt after an activity. The workflow passes it back with its next tasks, so that a
 * database that was restored from a backup is found to be older than the workflow.
 */
export interface DebtKnowledge {
  /** The latest contact; null when there is none, or when it certainly failed. */
  readonly contact: KnownContact | null;
  /** The latest entry of the timeline. */
  readonly event: KnownEvent | null;
  /** What Temporal's UI shows of the debt; absent when the database does not know it. */
  readonly status?: DebtStatus;
  /** The rules of the verdict that postponed the next contact, when that was the last event. */
  readonly refusedBy?: readonly string[];
}

/** What a workflow asks for: one attempt of its work on one debt. */
export interface DebtTask {
  readonly clientId: string;
  readonly debtId: string;
  readonly clock: DebtClock;
  /** Identifies this attempt of the workflow. It stays the same when Temporal retries the activity. */
  readonly attemptKey: string;
  /**
   * The latest contacts that the workflow knows of, the oldest first. A database that was restored from a backup may
   * have forgotten them.
   */
  readonly contacts?: readonly KnownContact[];
  /** The end of the timeline after the last answer or settlement that the workflow knows of. */
  readonly lastHeard?: KnownEvent | null;
  /** True for the first attempt of a run that a signal has started: an earlier run may have ended the debt. */
  readonly mayHaveEnded?: boolean;
}
