import { AppError } from '../../../kernel/errors.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { deleteDeliveries } from '../queries/webhook-deliveries.ts';
import { deleteWebhook as deleteRow, lockWebhook } from '../queries/webhooks.ts';
import type { EventDeps } from './deps.ts';

/** Deletes a webhook with all its deliveries. A post that is under way still arrives. */
export const deleteWebhook =
  ({ db }: Pick<EventDeps, 'db'>) =>
  async ({ clientId, id, source }: { clientId: string; id: string; source: RequestSource }): Promise<void> => {
    await db.tenant(clientId).transactional(async (tx) => {
      if ((await lockWebhook(tx, { clientId, id })) === undefined) throw new AppError('not_found');
      // Their number may be large, and nothing refers to them.
      await deleteDeliveries(tx, { clientId, webhookId: id });
      await deleteRow(tx, { clientId, id });
      await addRequestAudit(tx, { clientId, source, action: 'webhook_deleted', target: id });
    });
  };
