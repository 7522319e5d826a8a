import type { Gateway } from './gateway.ts';
import type { WorkerState } from './worker.ts';

export type WorkerHealth = 'ok' | 'starting' | 'down';

/** A worker polls anew each minute at the latest; the margin is for a slow server. */
export const POLL_FRESH_MS = 75_000;

export interface WorkerHealthOptions {
  readonly gateway: Pick<Gateway, 'pollers' | 'describe'>;
  /** The heartbeat that this process asked for when it started: `heartbeatWorkflowId(...)`. */
  readonly heartbeatId: string;
  /** Of the worker in this process, if it has one: known at once, where polls of a killed worker look fresh for a while. */
  readonly ownState?: () => WorkerState | undefined;
}

/**
 * Whether some worker does work, as seen from a process that may have none: someone polls both kinds of task, and one
 * heartbeat went all the way (outbox, engine, workflow, activity, database). Polling is asked each time and is free;
 * the heartbeat is asked for once in the life of the process, because each run is billed.
 */
export function createWorkerHealth({
  gateway,
  heartbeatId,
  ownState,
}: WorkerHealthOptions): () => Promise<WorkerHealth> {
  let beaten = false;
  return async () => {
    if ((ownState?.() ?? 'running') !== 'running') return 'down';
    const { workflowSeenMs, activitySeenMs } = await gateway.pollers();
    const fresh = (ms: number | null) => ms !== null && ms < POLL_FRESH_MS;
    if (!fresh(workflowSeenMs) || !fresh(activitySeenMs)) return 'down';
    beaten ||= (await gateway.describe(heartbeatId))?.status === 'COMPLETED';
    return beaten ? 'ok' : 'starting';
  };
}
