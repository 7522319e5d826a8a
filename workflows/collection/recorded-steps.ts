import type { DebtStep } from '../../activities/contract.ts';

/** The result of activities of earlier versions: `done` is set when the debt has ended, and both for a due receipt. */
interface EarlierStep {
  readonly nextAt: number | null;
  readonly done: string | null;
  readonly needsOperator: boolean;
}

/** Reads the result of an activity. Histories that an earlier version has begun contain the earlier form. */
export function stepOf(recorded: DebtStep | EarlierStep): DebtStep {
  if ('kind' in recorded) return recorded;
  const { nextAt, done, needsOperator } = recorded;
  if (done === 'PAID' && nextAt !== null) return { kind: 'sendReceipt', at: nextAt, needsOperator };
  // An earlier version wrote only statuses of debts here.
  if (done !== null) return { kind: 'finish', status: done as FinishStatus, needsOperator };
  return nextAt === null ? { kind: 'waitForSignal', needsOperator } : { kind: 'wait', until: nextAt, needsOperator };
}

type FinishStatus = Extract<DebtStep, { kind: 'finish' }>['status'];
