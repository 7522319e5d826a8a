import type { DebtClock } from '../../debts/rules/debt-task.ts';

/** What the workflow of a debt's listings asks for. */
export interface ListingTask {
  readonly clientId: string;
  readonly debtId: string;
  readonly clock: DebtClock;
}

export interface ListingNext {
  /** When to ask again, by the debt's own clock; null when nothing is left to do. */
  readonly until: number | null;
  /** How far the workflow's clock must be ahead of real time from now on; absent while it is right. */
  readonly clockOffsetMs?: number;
}
