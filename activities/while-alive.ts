import { Context } from '@temporalio/activity';

/** Well below the heartbeat timeout of `proxies.ts`; what ends before the first beat costs none. */
export const BEAT_MS = 10_000;

/**
 * Tells the engine that the process still works at it, so that one whose process was killed is tried again within half a
 * minute, and need not wait for the longest time that a provider or a channel may take.
 */
export const whileAlive =
  <Task, Result>(run: (task: Task) => Promise<Result>, beatMs = BEAT_MS) =>
  async (task: Task): Promise<Result> => {
    const context = Context.current();
    const beat = setInterval(() => context.heartbeat(), beatMs);
    try {
      return await run(task);
    } finally {
      clearInterval(beat);
    }
  };
