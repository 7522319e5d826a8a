import { createClock } from '../clock.ts';
import type { PhoneRequestInput } from '../contract.ts';
import { allTriesFailed, createOperatorFlag, OPERATOR_RETRY_MS } from '../operator.ts';
import { askOnce } from '../proxies.ts';

/** Asks one person for the phone, when it is the turn of the request. It ends by itself, because the time for it does. */
export async function askForPhone({ clientId, requestId }: PhoneRequestInput): Promise<void> {
  const clock = createClock({ offsetMs: 0, maxWaitMs: null });
  const operator = createOperatorFlag();
  for (;;) {
    const waitMs = await ask();
    if (waitMs === null) return;
    await clock.waitUntil(clock.now() + waitMs, () => false, 'Wait for the turn of the request');
  }

  async function ask(): Promise<number | null> {
    try {
      const { waitMs } = await askOnce({ clientId, requestId });
      operator.set(false);
      return waitMs;
    } catch (error) {
      // This needs no `patched()`: until now a run ended with this failure, so that no open one goes on behind it.
      if (!allTriesFailed(error)) throw error;
      operator.set(true);
      return OPERATOR_RETRY_MS;
    }
  }
}
