import type { DebtClock } from '../rules/debt-task.ts';

/**
 * Returns the debt's current time, which is never earlier than the latest event of its timeline. An activity on the
 * real clock may run after the moment that it was planned for, even after the contact window: real time then decides.
 */
export function momentOf(clock: DebtClock, debt: { readonly lastEventAt: Date | null }, realNow: number): number {
  // The stored event may be later than `clock.at` when another activity advanced the clock after this one was
  // scheduled.
  const lastEventAt = debt.lastEventAt?.getTime() ?? clock.at;
  return clock.exact ? Math.max(clock.at, lastEventAt) : Math.max(clock.at, lastEventAt, realNow);
}

/** Returns the debt's time for an event from outside its workflow, such as a request or a notification. */
export const debtNow = (clockOffsetMs: number, realNow: number): number => realNow + clockOffsetMs;
