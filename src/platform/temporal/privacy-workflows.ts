import { erasureWorkflowId } from '../../../workflows/ids.ts';
import type { PrivacyWorkflows } from '../../kernel/ports/privacy-workflows.ts';

export const privacyWorkflows: PrivacyWorkflows = {
  eraseDebtor: ({ clientId, debtId, requestId }) => ({
    kind: 'start',
    workflow: 'erase-debtor',
    workflowId: erasureWorkflowId(requestId),
    signal: null,
    payload: { clientId, debtId },
    dedupeKey: `erase:${debtId}`,
  }),
};
