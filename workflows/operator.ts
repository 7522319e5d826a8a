import { ActivityFailure, isCancellation, upsertSearchAttributes } from '@temporalio/workflow';
import { SEARCH_ATTRIBUTES } from './contract.ts';

/** The value of `DebtStatus` by which operators find what nothing but they can mend. The runbook explains it. */
const NEEDS_OPERATOR = 'NEEDS_OPERATOR';
/** After all tries have failed: often enough for the day the cause is mended, rare enough to cost little. */
export const OPERATOR_RETRY_MS = 60 * 60_000;

export const setStatus = (value: string): void =>
  upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.debtStatus, value }]);

/** An activity that failed for good, as opposed to a workflow that somebody cancels. */
export const allTriesFailed = (error: unknown): boolean => error instanceof ActivityFailure && !isCancellation(error);

/** Tells operators that they are needed, and that they no longer are; each word is billed, so none is said twice. */
export function createOperatorFlag(otherwise: string): (needed: boolean) => void {
  let raised = false;
  return (needed) => {
    if (needed === raised) return;
    raised = needed;
    setStatus(needed ? NEEDS_OPERATOR : otherwise);
  };
}
