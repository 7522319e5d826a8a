import { setTimeout as pause } from 'node:timers/promises';

/** Calls until it no longer throws; at the deadline, which only ends what hangs, it throws the last error. */
export async function eventually<T>(attempt: () => Promise<T> | T, deadlineMs = 120_000): Promise<T> {
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
