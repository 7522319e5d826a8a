/** Workflow ids are built only here, because an equal id is what makes a second start have no effect. */
export const campaignWorkflowId = (campaignId: string): string => `campaign-${campaignId}`;
export const collectionWorkflowId = (debtId: string): string => `collection-${debtId}`;
/** The routine that notes payments (`src/platform/database/routines/note-payments.sql`) builds the same id. */
export const agreementWorkflowId = (agreementId: string): string => `agreement-${agreementId}`;
export const listingsWorkflowId = (debtId: string): string => `listings-${debtId}`;
export const heartbeatWorkflowId = (askedBy: string): string => `heartbeat-${askedBy}`;
export const batchJobId = (outboxRowId: string): string => `batch-${outboxRowId}`;
export const accountMailWorkflowId = (requestId: string): string => `account-mail-${requestId}`;
export const phoneRequestWorkflowId = (requestId: string): string => `phone-request-${requestId}`;
/** The triggers of `src/platform/database/routines/events.sql` build the same id. */
export const webhookWorkflowId = (webhookId: string): string => `webhooks-${webhookId}`;
export const erasureWorkflowId = (requestId: string): string => `erasure-${requestId}`;
export const restartWorkflowId = (askedBy: string): string => `restart-${askedBy}`;

/** The task queue of the activities for which a person waits: settlements and answers. */
export const answersQueueOf = (taskQueue: string): string => `${taskQueue}-answers`;

/** The task queue of posts to webhooks, whose receivers may be slow without being in anybody's way. */
export const webhooksQueueOf = (taskQueue: string): string => `${taskQueue}-webhooks`;

interface Ids {
  readonly debtId?: unknown;
  readonly campaignId?: unknown;
}

/** Details of a run that lead from Temporal's UI to the console. They hold ids alone. */
export function consoleLinks(consoleUrl: string | undefined, { debtId, campaignId }: Ids): { staticDetails?: string } {
  const links = [
    ...(typeof debtId === 'string' ? [`[Debt](${consoleUrl}/dividas/${debtId})`] : []),
    ...(typeof campaignId === 'string' ? [`[Campaign](${consoleUrl}/campanhas/${campaignId})`] : []),
  ];
  return consoleUrl === undefined || links.length === 0 ? {} : { staticDetails: links.join(' · ') };
}
