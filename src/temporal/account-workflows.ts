import { stateChanged } from '../../workflows/contract.ts';
import { passwordResetWorkflowId } from '../../workflows/ids.ts';
import type { AccountWorkflows } from '../ports/account-workflows.ts';

/** How long a new workflow may be missing from the engine's index: the second signal reaches those the first missed. */
const VISIBILITY_LAG_MS = 10_000;

export const accountWorkflows: AccountWorkflows = {
  sendPasswordReset: ({ clientId, requestId }) => ({
    kind: 'start',
    workflow: 'send-password-reset',
    workflowId: passwordResetWorkflowId(requestId),
    signal: null,
    payload: { clientId, requestId },
  }),
  wakeCollections: (clientId, now) =>
    [0, VISIBILITY_LAG_MS].map((laterMs) => ({
      kind: 'batch_signal',
      workflow: 'collect-debt',
      workflowId: `every-of-${clientId}`,
      signal: stateChanged.name,
      payload: { clientId },
      availableAt: new Date(now.getTime() + laterMs),
    })),
};
