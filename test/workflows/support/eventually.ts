import { setTimeout as pause } from 'node:timers/promises';

/** Tries until it no longer throws; at the deadline the last error is the test's. */
export async function eventually<T>(attempt: () => Promise<T> | T, deadlineMs = 20_000): Promise<T> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
      await pause(50);
    }
  }
}
