import type { AccountMail } from '../account-mail.ts';
import type { WorkflowRequest } from './collection-workflows.ts';

export interface AccountWorkflows {
  sendAccountMail(request: {
    readonly clientId: string;
    readonly requestId: string;
    readonly kind: AccountMail;
    readonly about?: string;
  }): WorkflowRequest;
  /**
   * Makes every running collection and every agreement of the client check again whether it may continue; Temporal
   * signals each of them.
   */
  wakeCollections(clientId: string, now: Date): readonly WorkflowRequest[];
}
