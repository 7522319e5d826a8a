/** Workflow ids are built only here, because an equal id is what makes a second start have no effect. */
export const campaignWorkflowId = (campaignId: string): string => `campaign-${campaignId}`;
export const collectionWorkflowId = (debtId: string): string => `collection-${debtId}`;
export const heartbeatWorkflowId = (askedBy: string): string => `heartbeat-${askedBy}`;
export const batchJobId = (outboxRowId: string): string => `batch-${outboxRowId}`;
export const accountMailWorkflowId = (requestId: string): string => `account-mail-${requestId}`;
