/** The clock of one debt, as its workflow hands it to an activity. */
export interface DebtClock {
  /** The debt's own time when the activity was asked for. */
  readonly at: number;
  /** How far it runs ahead of real time. */
  readonly offsetMs: number;
  /** A simulated clock: `at` is the moment, however late the activity runs. */
  readonly exact: boolean;
}

/**
 * What time it is for the debt: never before what its timeline has already told. A real contact that was planned in the
 * window may run behind it: then it is later.
 */
export function momentOf(clock: DebtClock, debt: { readonly lastEventAt: Date | null }, realNow: number): number {
  // A run that was asked for before another one moved the clock begins behind it.
  const told = debt.lastEventAt?.getTime() ?? clock.at;
  return clock.exact ? Math.max(clock.at, told) : Math.max(clock.at, told, realNow);
}

/** For what reaches a debt from outside its workflow: a request, a notification. */
export const debtNow = (clockOffsetMs: number, realNow: number): number => realNow + clockOffsetMs;
