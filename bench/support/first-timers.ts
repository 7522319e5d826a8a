import type { Client } from '@temporalio/client';

type Moment = { seconds?: unknown; nanos?: number | null } | null | undefined;

const millisecondsOf = (at: Moment): number | null =>
  at == null ? null : Number(at.seconds) * 1000 + (at.nanos ?? 0) / 1e6;

/** Reads from histories when workflows started their first timers, by the server's clock. */
export function createFirstTimers(client: Client) {
  async function firstTimerOf(workflowId: string): Promise<number | null> {
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
    return millisecondsOf(events?.find((one) => one.timerStartedEventAttributes != null)?.eventTime);
  }

  /** The start of the first run, because a fan-out continues in new runs. */
  async function startOf(workflowId: string): Promise<number> {
    const { raw } = await client.workflow.getHandle(workflowId).describe();
    const runId = raw.workflowExecutionInfo?.firstRunId ?? undefined;
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    return millisecondsOf(events?.[0]?.eventTime) ?? 0;
  }

  return {
    /** Returns whether a workflow has started its first timer. */
    sleeps: async (workflowId: string): Promise<boolean> => (await firstTimerOf(workflowId).catch(() => null)) !== null,
    /** Returns the time from the start of one workflow to the first timer of its last child. */
    async fanOutMs(parent: string, children: readonly string[]): Promise<number> {
      const times: number[] = [];
      for (const id of children) {
        for (;;) {
          const at = await firstTimerOf(id).catch(() => null);
          if (at !== null) {
            times.push(at);
            break;
          }
          // The last child is checked first: when it waits, nearly all wait, and the checks do not disturb the
          // measurement.
          await new Promise((resolve) => setTimeout(resolve, 500));
        }
      }
      return Math.max(...times) - (await startOf(parent));
    },
  };
}
