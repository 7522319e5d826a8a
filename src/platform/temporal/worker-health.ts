import type { Gateway } from './gateway.ts';
import type { WorkerState } from './worker.ts';

export type WorkerHealth = 'ok' | 'starting' | 'down';

/** A worker polls at least once a minute; the rest is a margin for a slow server. */
export const POLL_FRESH_MS = 75_000;

export interface WorkerHealthOptions {
  readonly gateway: Pick<Gateway, 'pollers' | 'describe'>;
  /** The id of the heartbeat workflow that this process requested at its start: `heartbeatWorkflowId(...)`. */
  readonly heartbeatId: string;
  /**
   * The state of the worker in this process, if any. A failure is known at once here, while the polls of a dead worker
   * still look recent for a while.
   */
  readonly ownState?: () => WorkerState | undefined;
}

/**
 * Tells whether any worker is working, also for a process without one: every kind of work is polled, and one heartbeat
 * workflow has passed through outbox, Temporal, workflow, activity and database. The polls are read at each check,
 * which is free; the heartbeat runs once in the life of the process, because each run is billed.
 */
export function createWorkerHealth({
  gateway,
  heartbeatId,
  ownState,
}: WorkerHealthOptions): () => Promise<WorkerHealth> {
  let heartbeatCompleted = false;
  return async () => {
    if ((ownState?.() ?? 'running') !== 'running') return 'down';
    const polls = Object.values(await gateway.pollers());
    if (polls.some((ms) => ms === null || ms >= POLL_FRESH_MS)) return 'down';
    heartbeatCompleted ||= (await gateway.describe(heartbeatId))?.status === 'COMPLETED';
    return heartbeatCompleted ? 'ok' : 'starting';
  };
}
