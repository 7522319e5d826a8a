import type { DebtClock } from '../../debts/rules/debt-task.ts';
import type { AgreementStatus } from './agreement-state.ts';

/** What the workflow of an agreement asks for: one attempt of its work. */
export interface AgreementTask {
  readonly clientId: string;
  readonly agreementId: string;
  readonly clock: DebtClock;
  /** Identifies this attempt of the workflow. It stays the same when Temporal retries the activity. */
  readonly attemptKey: string;
}

/** What the workflow does next. Moments are epoch milliseconds of the agreement's own clock. */
export type AgreementNext = (
  | { readonly kind: 'wait'; readonly until: number | null }
  | { readonly kind: 'finish'; readonly status: AgreementStatus }
) & {
  readonly needsOperator: boolean;
  /** How far the workflow's clock must be ahead of real time from now on; absent while it is right. */
  readonly clockOffsetMs?: number;
};
