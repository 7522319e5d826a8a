import { accountMailWorkflowId } from '../../../workflows/ids.ts';
import type { AccountWorkflows } from '../../kernel/ports/account-workflows.ts';
import { wakeAllCollections } from './collection-workflows.ts';

export const accountWorkflows: AccountWorkflows = {
  sendAccountMail: ({ clientId, requestId, kind, about }) => ({
    kind: 'start',
    workflow: 'send-account-mail',
    workflowId: accountMailWorkflowId(requestId),
    signal: null,
    payload: { clientId, requestId, kind, ...(about === undefined ? {} : { about }) },
    dedupeKey: null,
  }),
  wakeCollections: (clientId, now) => wakeAllCollections({ clientId }, now),
};
