import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { WEBHOOK_STATES } from '../../../kernel/event-types.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams, page, pageQuery } from '../../../platform/http/fields.ts';
import { memberOrApiKeyOf, sourceOf } from '../../../platform/http/origin.ts';
import { deliveryRoutes } from './deliveries.ts';
import { secret, typesBody, urlBody, webhookSchema } from './schemas.ts';

const tags = ['Events'];

export function webhookEndpointRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/webhooks',
      operationId: 'createWebhook',
      right: 'manage',
      summary: 'Have events posted to an address',
      description:
        'At most 10 for a client. The address is checked: `https`, no credentials, no private address (`url_invalid` at `/url`); outside production a receiver on the same machine may use `http`. Posts follow the Standard Webhooks specification.',
      tags,
      auth: 'bearer',
      idempotent: true,
      secretAnswer: true,
      body: z.object({ url: urlBody, types: typesBody.optional() }),
      responses: { 201: { description: 'The webhook, with its secret', schema: webhookSchema.extend({ secret }) } },
      errors: [],
      handler: async ({ caller, body, request }) => ({
        status: 201,
        body: await services.createWebhook({
          ...body,
          ...memberOrApiKeyOf(caller),
          id: request.workId ?? randomUUID(),
          source: sourceOf(caller, request),
        }),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/webhooks',
      operationId: 'listWebhooks',
      right: 'manage',
      summary: 'Your webhooks, the oldest first',
      tags,
      auth: 'bearer',
      query: pageQuery,
      responses: { 200: { description: 'A page', schema: page(webhookSchema) } },
      errors: [],
      handler: async ({ caller: { clientId }, query }) => ({
        status: 200,
        body: await services.listWebhooks({ clientId, ...query }),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/webhooks/:id',
      operationId: 'getWebhook',
      right: 'manage',
      summary: 'One webhook',
      tags,
      auth: 'bearer',
      params: idParams,
      responses: { 200: { description: 'The webhook', schema: webhookSchema } },
      errors: [],
      handler: async ({ caller: { clientId }, params: { id } }) => ({
        status: 200,
        body: await services.readWebhook({ clientId, id }),
      }),
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/webhooks/:id',
      operationId: 'changeWebhook',
      right: 'manage',
      summary: 'Change, disable or enable a webhook, or give it a new secret',
      description:
        '`rotateSecret` answers a new secret, once; for 24 hours the one before signs too. A disabled webhook gets no events, and what waits for it ends as failed. Enabling it forgets its failures; what happened meanwhile is in `GET /api/events`.',
      tags,
      auth: 'bearer',
      params: idParams,
      body: z.object({
        url: urlBody.optional(),
        types: typesBody.optional(),
        state: z.enum(WEBHOOK_STATES).optional(),
        rotateSecret: z.boolean().optional(),
      }),
      responses: { 200: { description: 'The webhook', schema: webhookSchema.extend({ secret: secret.optional() }) } },
      errors: [],
      handler: async ({ caller, params: { id }, body, request }) => ({
        status: 200,
        body: await services.changeWebhook({
          ...body,
          ...memberOrApiKeyOf(caller),
          id,
          source: sourceOf(caller, request),
        }),
      }),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/webhooks/:id',
      operationId: 'deleteWebhook',
      right: 'manage',
      summary: 'Delete a webhook and its deliveries',
      tags,
      auth: 'bearer',
      params: idParams,
      responses: { 204: { description: 'It gets no events any more' } },
      errors: [],
      handler: async ({ caller, params: { id }, request }) => {
        await services.deleteWebhook({ clientId: caller.clientId, id, source: sourceOf(caller, request) });
        return { status: 204 };
      },
    }),
    ...deliveryRoutes({ services }),
  ];
}
