import { passwordResetWorkflowId } from '../../workflows/ids.ts';
import type { AccountWorkflows } from '../ports/account-workflows.ts';
import { wakeAllCollections } from './collection-workflows.ts';

export const accountWorkflows: AccountWorkflows = {
  sendPasswordReset: ({ clientId, requestId }) => ({
    kind: 'start',
    workflow: 'send-password-reset',
    workflowId: passwordResetWorkflowId(requestId),
    signal: null,
    payload: { clientId, requestId },
    dedupeKey: null,
  }),
  wakeCollections: (clientId, now) => wakeAllCollections({ clientId }, now),
};
