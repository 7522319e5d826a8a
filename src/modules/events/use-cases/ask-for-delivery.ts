import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../../../kernel/errors.ts';
import { addOutbox } from '../../../platform/database/add-outbox.ts';
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
async function send(em: EntityManager, { workflows }: Deps, call: WebhookCall, id: string): Promise<DeliveryView> {
  const { clientId, webhookId } = call;
  await addOutbox(em, workflows.deliver({ id: webhookId, clientId }, id));
  const delivery = await readDelivery(em, { clientId, webhookId, id });
  if (delivery === undefined) throw new AppError('not_found');
  return deliveryView(delivery);
}

async function requireWebhook(em: EntityManager, { clientId, webhookId }: WebhookCall): Promise<void> {
  if ((await lockWebhook(em, { clientId, id: webhookId })) === undefined) throw new AppError('not_found');
}

/** Posts a test event, which goes the way of all events but is not one of the feed. */
export const testWebhook =
  (deps: Deps) =>
  async (call: WebhookCall & { readonly deliveryId: string }): Promise<DeliveryView> => {
    const { clientId, webhookId, deliveryId: id, source } = call;
    return deps.db.tenant(clientId).transactional(async (em) => {
      await requireWebhook(em, call);
      const known = await readDelivery(em, { clientId, webhookId, id });
      if (known !== undefined) return deliveryView(known);
      const { seq } = await insertTestEvent(em, clientId, webhookId);
      await insertManualDelivery(em, { id, clientId, webhookId, eventSeq: seq });
      await addRequestAudit(em, { clientId, source, action: 'webhook_tested', target: webhookId });
      return send(em, deps, call, id);
    });
  };

/** Posts an event again, whether it was delivered or not, with the same id. */
export const redeliverEvent =
  (deps: Deps) =>
  async (call: WebhookCall & { readonly deliveryId: string }): Promise<DeliveryView> => {
    const { clientId, webhookId, deliveryId: id, source } = call;
    return deps.db.tenant(clientId).transactional(async (em) => {
      await requireWebhook(em, call);
      if ((await readDelivery(em, { clientId, webhookId, id })) === undefined) throw new AppError('not_found');
      await redeliver(em, id);
      const details = { delivery: id };
      await addRequestAudit(em, { clientId, source, action: 'webhook_redelivered', target: webhookId, details });
      return send(em, deps, call, id);
    });
  };
