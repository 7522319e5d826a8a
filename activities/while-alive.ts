import { Context } from '@temporalio/activity';

/** Well below the heartbeat timeout of `proxies.ts`. An activity that ends earlier sends no heartbeat. */
export const BEAT_MS = 10_000;

/** Tells Temporal at once what the next attempt has to know if this one is interrupted. */
export type Announce = (details: unknown) => void;

/**
 * Sends heartbeats to Temporal while the activity runs. An activity whose process was killed is then retried within
 * half a minute, and not only after the longest time that a provider or a channel may take. Each heartbeat repeats what
 * was announced last, because Temporal keeps the details of the latest one only.
 */
export const whileAlive =
  <Task, Result>(run: (task: Task, announce: Announce) => Promise<Result>, beatMs = BEAT_MS) =>
  async (task: Task): Promise<Result> => {
    const context = Context.current();
    let latest: unknown = context.info.heartbeatDetails;
    const beat = setInterval(() => context.heartbeat(latest), beatMs);
    const announce: Announce = (details) => {
      latest = details;
      context.heartbeat(details);
    };
    try {
      return await run(task, announce);
    } finally {
      clearInterval(beat);
    }
  };
