/** Workflow ids are built only here, because an equal id is what makes a second start have no effect. */
export const campaignWorkflowId = (campaignId: string): string => `campaign-${campaignId}`;
export const collectionWorkflowId = (debtId: string): string => `collection-${debtId}`;

/** The task queue of the activities for which a person waits: settlements and answers. */
export const answersQueueOf = (taskQueue: string): string => `${taskQueue}-answers`;

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
