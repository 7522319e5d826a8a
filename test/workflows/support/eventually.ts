import { setTimeout as pause } from 'node:timers/promises';

/** Calls until it no longer throws; at the deadline it throws the last error. */
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
