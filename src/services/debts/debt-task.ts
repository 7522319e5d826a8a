import type { DebtClock } from './clock.ts';

/** What a workflow asks for: one attempt of its work on one debt. */
export interface DebtTask {
  readonly clientId: string;
  readonly debtId: string;
  readonly clock: DebtClock;
  /** Identifies this attempt of the workflow. It stays the same when Temporal retries the activity. */
  readonly attemptKey: string;
}
