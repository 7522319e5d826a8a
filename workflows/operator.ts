import { ActivityFailure, isCancellation, upsertSearchAttributes } from '@temporalio/workflow';
import { SEARCH_ATTRIBUTES } from './contract.ts';

/** The value of `Attention` by which operators find workflows that only they can repair. The runbook explains it. */
const NEEDS_OPERATOR = 'NEEDS_OPERATOR';
/**
 * The wait after all tries have failed: short enough to continue on the day of the repair, long enough to cost little.
 */
export const OPERATOR_RETRY_MS = 60 * 60_000;

const { attention, endedAs } = SEARCH_ATTRIBUTES;

const setAttention = (value: string | null): void => upsertSearchAttributes([{ key: attention, value }]);

/** Records at the end in which status the debt or the campaign has ended. */
export const setEnd = (value: string): void => upsertSearchAttributes([{ key: endedAs, value }]);

/** True for an activity that failed for good, and false for a workflow that somebody cancels. */
export const allTriesFailed = (error: unknown): boolean => error instanceof ActivityFailure && !isCancellation(error);

/**
 * Sets and clears the attribute by which operators see that they are needed. Each upsert is billed, so none is repeated.
 * A run that was continued as new keeps the search attributes of the run before it.
 */
export function createOperatorFlag(raisedBefore = false): OperatorFlag {
  let raised = raisedBefore;
  return {
    set: (needed) => {
      if (needed === raised) return;
      raised = needed;
      setAttention(needed ? NEEDS_OPERATOR : null);
    },
    isRaised: () => raised,
  };
}

export interface OperatorFlag {
  set(needed: boolean): void;
  isRaised(): boolean;
}
