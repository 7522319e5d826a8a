import type { RunState, WorkflowRuns } from '../../kernel/ports/workflow-runs.ts';
import type { Gateway, RunDescription } from './gateway.ts';

export const createWorkflowRuns = (
  gateway: Pick<Gateway, 'describe' | 'lastCompleted' | 'signal' | 'signalWithStart' | 'start'>,
): WorkflowRuns => ({
  latest: async (workflowId) => stateOf(await gateway.describe(workflowId)),
  lastEnded: (workflowId) => gateway.lastCompleted(workflowId),
  startOrSignal: ({ workflow, workflowId, payload }, signal) =>
    gateway.signalWithStart({ workflow, workflowId, input: payload, signal }),
  start: async ({ workflow, workflowId, payload }) =>
    void (await gateway.start({ workflow, workflowId, input: payload }, { afterBroken: true })),
  signal: async (workflowId, signal) => void (await gateway.signal({ workflowId, signal })),
});

function stateOf(run: RunDescription | null): RunState {
  if (run === null) return { kind: 'none' };
  switch (run.status) {
    case 'COMPLETED':
      return { kind: 'ended', debtStatus: run.debtStatus };
    case 'FAILED':
    case 'TERMINATED':
    case 'TIMED_OUT':
    case 'CANCELLED':
      return { kind: 'broken' };
    default:
      // A status that this version does not know must not start anything a second time.
      return { kind: 'running' };
  }
}
