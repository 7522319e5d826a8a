import type { AccountMailRequest } from '../account-mail.ts';
import type { WorkflowRequest } from './collection-workflows.ts';

export interface WebhookRef {
  readonly id: string;
  readonly clientId: string;
}

export interface EventWorkflows {
  /** Wakes the workflow that posts to the webhook: for a delivery that the client asked for, or for all that is due. */
  deliver(webhook: WebhookRef, deliveryId: string | null): WorkflowRequest;
  mailClient(request: AccountMailRequest): WorkflowRequest;
}
