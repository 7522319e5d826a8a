import type { OutboxKind, OutboxPayload } from './outbox-store.ts';

/** A wish for the workflow engine, to be written to the outbox in the transaction that made it necessary. */
export interface AccountRequest {
  readonly kind: OutboxKind;
  readonly workflow: 'collect-debt' | 'send-password-reset';
  readonly workflowId: string;
  readonly signal: string | null;
  readonly payload: OutboxPayload;
  readonly availableAt?: Date;
}

export interface AccountWorkflows {
  sendPasswordReset(request: { readonly clientId: string; readonly requestId: string }): AccountRequest;
  /** Every running collection of the client looks again at whether it may go on; the engine does the fan-out. */
  wakeCollections(clientId: string, now: Date): readonly AccountRequest[];
}
