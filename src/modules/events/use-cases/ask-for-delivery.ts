import { AppError } from '../../../kernel/errors.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addRequestAudit, type RequestSource } from '../../accounts/queries/add-audit.ts';
import { insertTestEvent } from '../queries/events.ts';
import { insertManualDelivery, readDelivery, redeliver } from '../queries/webhook-deliveries.ts';
import { lockWebhook } from '../queries/webhooks.ts';
import type { EventDeps } from './deps.ts';
import { type DeliveryView, deliveryView } from './webhook-view.ts';

interface WebhookCall {
  readonly clientId: string;
  readonly webhookId: string;
  readonly source: RequestSource;
}

type Deps = Pick<EventDeps, 'db' | 'workflows'>;

/**
 * What the client asks for goes out to a disabled webhook too, once, so that a receiver can be tried before the webhook
 * is enabled again.
 */
async function send(tx: Tx, { workflows }: Deps, call: WebhookCall, id: string): Promise<DeliveryView> {
  const { clientId, webhookId } = call;
  await addOutbox(tx, workflows.deliver({ id: webhookId, clientId }, id));
  const delivery = await readDelivery(tx, { clientId, webhookId, id });
  if (delivery === undefined) throw new AppError('not_found');
  return deliveryView(delivery);
}

async function requireWebhook(tx: Tx, { clientId, webhookId }: WebhookCall): Promise<void> {
  if ((await lockWebhook(tx, { clientId, id: webhookId })) === undefined) throw new AppError('not_found');
}

/** Posts a test event, which goes the way of all events but is not one of the feed. */
export const testWebhook =
  (deps: Deps) =>
  async (call: WebhookCall & { readonly deliveryId: string }): Promise<DeliveryView> => {
    const { clientId, webhookId, deliveryId: id, source } = call;
    return deps.db.tenant(clientId).transactional(async (tx) => {
      await requireWebhook(tx, call);
      const known = await readDelivery(tx, { clientId, webhookId, id });
      if (known !== undefined) return deliveryView(known);
      const { seq } = await insertTestEvent(tx, clientId, webhookId);
      await insertManualDelivery(tx, { id, clientId, webhookId, eventSeq: seq });
      await addRequestAudit(tx, { clientId, source, action: 'webhook_tested', target: webhookId });
      return send(tx, deps, call, id);
    });
  };

/** Posts an event again, whether it was delivered or not, with the same id. */
export const redeliverEvent =
  (deps: Deps) =>
  async (call: WebhookCall & { readonly deliveryId: string }): Promise<DeliveryView> => {
    const { clientId, webhookId, deliveryId: id, source } = call;
    return deps.db.tenant(clientId).transactional(async (tx) => {
      await requireWebhook(tx, call);
      if ((await readDelivery(tx, { clientId, webhookId, id })) === undefined) throw new AppError('not_found');
      await redeliver(tx, id);
      const details = { delivery: id };
      await addRequestAudit(tx, { clientId, source, action: 'webhook_redelivered', target: webhookId, details });
      return send(tx, deps, call, id);
    });
  };
