import type { AccountMail } from '../domain/account-mail.ts';
import type { WorkflowRequest } from './collection-workflows.ts';

export interface AccountWorkflows {
  sendAccountMail(request: {
    readonly clientId: string;
    readonly requestId: string;
    readonly kind: AccountMail;
  }): WorkflowRequest;
  /** Every running collection of the client looks again at whether it may go on; the engine does the fan-out. */
  wakeCollections(clientId: string, now: Date): readonly WorkflowRequest[];
}
