import { Context } from '@temporalio/activity';

/** Well below the heartbeat timeout of `proxies.ts`. An activity that ends earlier sends no heartbeat. */
export const BEAT_MS = 10_000;

/**
 * Sends heartbeats to Temporal while the activity runs. An activity whose process was killed is then retried within
 * half a minute, and not only after the longest time that a provider or a channel may take.
 */
export const whileAlive =
  <Given extends unknown[], Result>(run: (...given: Given) => Promise<Result>, beatMs = BEAT_MS) =>
  async (...given: Given): Promise<Result> => {
    const context = Context.current();
    const beat = setInterval(() => context.heartbeat(), beatMs);
    try {
      return await run(...given);
    } finally {
      clearInterval(beat);
    }
  };
