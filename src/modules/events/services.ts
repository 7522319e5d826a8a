import { redeliverEvent, testWebhook } from './use-cases/ask-for-delivery.ts';
import { changeWebhook } from './use-cases/change-webhook.ts';
import { createWebhook } from './use-cases/create-webhook.ts';
import { deleteWebhook } from './use-cases/delete-webhook.ts';
import type { EventDeps } from './use-cases/deps.ts';
import { listDeliveries } from './use-cases/list-deliveries.ts';
import { listEvents } from './use-cases/list-events.ts';
import { listWebhooks, readWebhook } from './use-cases/read-webhooks.ts';

/** The use cases of the feed and of webhooks that a request of the API may call. */
export const createEventsServices = (deps: EventDeps) => ({
  changeWebhook: changeWebhook(deps),
  createWebhook: createWebhook(deps),
  deleteWebhook: deleteWebhook(deps),
  listDeliveries: listDeliveries(deps),
  listEvents: listEvents(deps),
  listWebhooks: listWebhooks(deps),
  readWebhook: readWebhook(deps),
  redeliverEvent: redeliverEvent(deps),
  testWebhook: testWebhook(deps),
});
