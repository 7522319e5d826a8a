import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { sourceOf } from '../../../platform/http/origin.ts';

const PATH = '/api/onboarding/me/api-key';

export function apiKeyRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  const create = defineRoute({
    method: 'POST',
    path: PATH,
    operationId: 'createApiKey',
    summary: 'Create an API key and revoke the previous one',
    description: 'The key never expires and is shown in this answer only. A mail tells the owner of the account.',
    tags: ['Onboarding'],
    auth: 'jwt',
    responses: { 200: { description: 'The key', schema: z.object({ apiKey: z.string() }) } },
    errors: [],
    handler: async ({ caller, request }) => ({
      status: 200,
      body: await services.createApiKey({
        clientId: caller.clientId,
        sessionId: caller.sessionId,
        source: sourceOf(caller, request),
      }),
    }),
  });

  const revoke = defineRoute({
    method: 'DELETE',
    path: PATH,
    operationId: 'revokeApiKey',
    summary: 'Revoke the API key',
    tags: ['Onboarding'],
    auth: 'jwt',
    responses: { 204: { description: 'There is no key any more' } },
    errors: [],
    handler: async ({ caller, request }) => {
      await services.revokeApiKey({ clientId: caller.clientId, source: sourceOf(caller, request) });
      return { status: 204 };
    },
  });
  return [create, revoke];
}
