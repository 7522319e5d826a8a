import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { DELIVERY_STATES } from '../../../kernel/event-types.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams, page, pageQuery } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { deliverySchema } from './schemas.ts';

const tags = ['Events'];

export const deliveryRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/webhooks/:id/test',
    operationId: 'testWebhook',
    right: 'manage',
    summary: 'Post a test event to a webhook',
    description:
      'The event has the type `webhook.test` and goes the way of all events, whatever types the webhook gets; a disabled webhook gets it once. Read what came of it in `GET /api/webhooks/{id}/deliveries`.',
    tags,
    auth: 'bearer',
    idempotent: true,
    params: idParams,
    responses: { 202: { description: 'The delivery', schema: deliverySchema } },
    errors: [],
    handler: async ({ caller, params, request }) => ({
      status: 202,
      body: await services.testWebhook({
        clientId: caller.clientId,
        webhookId: params.id,
        deliveryId: request.workId ?? randomUUID(),
        source: sourceOf(caller, request),
      }),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/webhooks/:id/deliveries',
    operationId: 'listWebhookDeliveries',
    right: 'manage',
    summary: 'What was posted to a webhook or waits for it, the newest events first',
    tags,
    auth: 'bearer',
    params: idParams,
    query: pageQuery.extend({ state: z.enum(DELIVERY_STATES).optional() }),
    responses: { 200: { description: 'A page', schema: page(deliverySchema) } },
    errors: [],
    handler: async ({ caller: { clientId }, params, query }) => ({
      status: 200,
      body: await services.listDeliveries({ clientId, webhookId: params.id, ...query }),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/webhooks/:id/deliveries/:deliveryId/redeliver',
    operationId: 'redeliverEvent',
    right: 'manage',
    summary: 'Post an event to a webhook once more',
    description: 'With the same `webhook-id`, so that a receiver which has the event already can tell.',
    tags,
    auth: 'bearer',
    idempotent: true,
    params: idParams.extend({ deliveryId: z.uuid() }),
    responses: { 202: { description: 'The delivery, which is due now', schema: deliverySchema } },
    errors: [],
    handler: async ({ caller, params: { id, deliveryId }, request }) => ({
      status: 202,
      body: await services.redeliverEvent({
        clientId: caller.clientId,
        webhookId: id,
        deliveryId,
        source: sourceOf(caller, request),
      }),
    }),
  }),
];
