import type { WorkflowRequest } from './collection-workflows.ts';

export interface PrivacyWorkflows {
  /** Has a worker erase the person of a debt. While a request about the same debt waits, another one adds nothing. */
  eraseDebtor(request: {
    readonly clientId: string;
    readonly debtId: string;
    readonly requestId: string;
  }): WorkflowRequest;
}
