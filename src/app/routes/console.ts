import { z } from 'zod';
import { defineRoute, type Route } from '../../platform/http/define-route.ts';
import type { HttpDeps } from '../../platform/http/deps.ts';

const facts = z.object({
  version: z.string(),
  sandboxOnly: z.boolean().describe('No real person is contacted and no real money moves'),
  hasAccounts: z.boolean().describe('Whether anybody has signed up: the console of a new service begins with that'),
  identity: z
    .object({ issuer: z.string(), clientId: z.string() })
    .nullable()
    .describe('The identity provider by which staff can sign in to the console'),
});

export const consoleRoutes = ({
  config: { version, sandboxOnly, identity },
  services,
}: Pick<HttpDeps, 'config' | 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/console',
    operationId: 'getConsole',
    summary: 'What the console has to know about this service',
    tags: ['Console'],
    auth: 'none',
    rate: 'public',
    responses: { 200: { description: 'Facts about this service', schema: facts } },
    errors: [],
    handler: async () => ({
      status: 200,
      body: { version, sandboxOnly, hasAccounts: await services.hasAccounts(), identity },
    }),
  }),
];
