import type { DebtStatus } from '../../../kernel/debt-status.ts';
import type { DebtKnowledge } from './debt-task.ts';

/** What the workflow of a debt does after an activity. Moments are epoch milliseconds of the debt's own clock. */
export type NextStep = (
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'waitForSignal' }
  /** The debt is paid, and its receipt has to be sent at this moment. */
  | { readonly kind: 'sendReceipt'; readonly at: number }
  /** The work could not be done now and is owed: it is tried again at this moment, and other work goes on meanwhile. */
  | { readonly kind: 'tryAgain'; readonly at: number }
  | { readonly kind: 'finish'; readonly status: DebtStatus }
) & {
  /** The channel refuses this client's messages, which only an operator can repair. */
  readonly needsOperator: boolean;
};

/** A step with what the database knew of the debt when the step was decided; absent where that is read afterwards. */
export type KnowingStep = NextStep & { readonly known?: DebtKnowledge };

/** Returns the moment for which the workflow sets a timer, or null when only a signal continues it. */
export function timerOf(step: NextStep): number | null {
  if (step.kind === 'wait') return step.until;
  return step.kind === 'sendReceipt' || step.kind === 'tryAgain' ? step.at : null;
}
