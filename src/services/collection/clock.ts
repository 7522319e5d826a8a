/** The clock of one debt, as its workflow hands it to an activity. */
export interface DebtClock {
  /** The debt's own time when the activity was asked for. */
  readonly at: number;
  /** How far it runs ahead of real time. */
  readonly offsetMs: number;
  /** A simulated clock: `at` is the moment, however late the activity runs. */
  readonly exact: boolean;
}

/** What time it is for the debt. A real contact that was planned in the window may run behind it: then it is later. */
export const momentOf = (clock: DebtClock, realNow: number): number =>
  clock.exact ? clock.at : Math.max(clock.at, realNow);

/** For what reaches a debt from outside its workflow: a request, a notification. */
export const debtNow = (clockOffsetMs: number, realNow: number): number => realNow + clockOffsetMs;
