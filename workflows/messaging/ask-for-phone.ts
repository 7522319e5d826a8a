import { createClock } from '../clock.ts';
import type { PhoneRequestInput } from '../contract.ts';
import { askOnce } from '../proxies.ts';

/** Asks one person for the phone, when it is the turn of the request. It ends by itself, because the time for it does. */
export async function askForPhone({ clientId, requestId }: PhoneRequestInput): Promise<void> {
  const clock = createClock({ offsetMs: 0, maxWaitMs: null });
  for (;;) {
    const { waitMs } = await askOnce({ clientId, requestId });
    if (waitMs === null) return;
    await clock.waitUntil(clock.now() + waitMs, () => false, 'Wait for the turn of the request');
  }
}
