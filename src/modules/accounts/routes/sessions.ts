import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams, page, pageQuery } from '../../../platform/http/fields.ts';
import { memberOf, sourceOf } from '../../../platform/http/origin.ts';

const PATH = '/api/onboarding/me/sessions';

const session = z
  .object({
    id: z.uuid(),
    kind: z
      .enum(['console', 'api'])
      .describe('`console`: a browser with the cookie; `api`: a program with refresh tokens'),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().describe('When the session last gave an access token'),
    expiresAt: z.iso.datetime().describe('When the session ends unless it is used before'),
    ip: z.string().optional().describe('The address from which it last gave an access token'),
    userAgent: z.string().optional().describe('What the browser or program said of itself then'),
    current: z.boolean().describe('This call was made in the session'),
  })
  .meta({ id: 'Session' });

export const openSessionRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listSessions',
    right: 'own',
    namesNobody: true,
    summary: 'Your open sessions, the newest first',
    description: 'Address and browser are stored with the session, and deleted with it when it would have expired.',
    tags: ['Onboarding'],
    auth: 'jwt',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: page(session) } },
    errors: [],
    handler: async ({ caller, query }) => ({
      status: 200,
      body: await services.listSessions({ ...memberOf(caller), sessionId: caller.sessionId, ...query }),
    }),
  }),
  defineRoute({
    method: 'DELETE',
    path: `${PATH}/:id`,
    operationId: 'endSession',
    right: 'own',
    summary: 'End one of your sessions',
    tags: ['Onboarding'],
    auth: 'jwt',
    params: idParams,
    responses: { 204: { description: 'Its tokens and its cookie are no longer valid' } },
    errors: ['not_found'],
    handler: async ({ caller, params: { id }, request }) => {
      await services.endOwnSession({ ...memberOf(caller), id, source: sourceOf(caller, request) });
      return { status: 204 };
    },
  }),
];
