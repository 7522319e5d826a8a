import { webhookWorkflowId } from '../../../workflows/ids.ts';
import type { CollectionWorkflows } from '../../kernel/ports/collection-workflows.ts';
import type { EventWorkflows } from '../../kernel/ports/event-workflows.ts';

/**
 * Events are delivered by rows that a trigger writes in the same form (`src/platform/database/routines/events.sql`). The key here is
 * another one, because a trigger's transaction must not wait for a request.
 */
export const createEventWorkflows = ({ mailClient }: Pick<CollectionWorkflows, 'mailClient'>): EventWorkflows => ({
  deliver: ({ id, clientId }, deliveryId) => ({
    kind: 'signal_with_start',
    workflow: 'deliver-webhooks',
    workflowId: webhookWorkflowId(id),
    signal: 'deliveriesDue',
    payload: { clientId, webhookId: id },
    dedupeKey: deliveryId === null ? null : `deliveriesDue:${id}:${deliveryId}`,
  }),
  mailClient,
});
