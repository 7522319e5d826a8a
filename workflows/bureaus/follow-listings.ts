import { setHandler } from '@temporalio/workflow';
import { createClock, momentText } from '../clock.ts';
import { type ListingsInput, stateChanged } from '../contract.ts';
import { allTriesFailed, createOperatorFlag, OPERATOR_RETRY_MS } from '../operator.ts';
import { remindOfListings } from '../proxies.ts';

/**
 * Reminds the staff of what a paid debt has at bureaus until it is removed, or until the debt is owed again. Reminders
 * end by themselves, so that no history grows without end.
 */
export async function followListings({ clientId, debtId, maxWaitMs, offsetMs }: ListingsInput): Promise<void> {
  const clock = createClock({ offsetMs, maxWaitMs });
  const operator = createOperatorFlag();
  let asked = false;
  setHandler(stateChanged, () => {
    asked = true;
  });
  for (;;) {
    asked = false;
    const until = await look();
    if (until === null && !asked) return;
    if (until !== null) {
      await clock.waitUntil(until, () => asked, `Wait until ${momentText(until)} to remind of a listing, or for news`);
    }
  }

  async function look(): Promise<number | null> {
    const task = { at: clock.now(), offsetMs: clock.state().offsetMs, exact: maxWaitMs !== null };
    try {
      const next = await remindOfListings({ clientId, debtId, clock: task });
      if (next.clockOffsetMs !== undefined) clock.follow(next.clockOffsetMs);
      operator.set(false);
      return next.until;
    } catch (error) {
      if (!allTriesFailed(error)) throw error;
      operator.set(true);
      return clock.now() + OPERATOR_RETRY_MS;
    }
  }
}
