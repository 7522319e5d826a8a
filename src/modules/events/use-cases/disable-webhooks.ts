import type { Tx } from '../../../platform/database/tx.ts';
import { failWaiting } from '../queries/webhook-deliveries.ts';
import { disabledFor, lockActiveWebhooks, updateWebhook } from '../queries/webhooks.ts';
import { WEBHOOK_DISABLED } from './change-webhook.ts';

/** Disables all webhooks of a client, in the caller's transaction. */
export async function disableWebhooks(tx: Tx, clientId: string): Promise<void> {
  for (const { id } of await lockActiveWebhooks(tx, clientId)) {
    await updateWebhook(tx, id, disabledFor('client'));
    await failWaiting(tx, { clientId, webhookId: id }, WEBHOOK_DISABLED);
  }
}
