import { z } from 'zod';
import { REAL_PROVIDER_NAMES, type RealProviderName } from '../../kernel/payment-providers.ts';
import { defineRoute, type Route } from '../../platform/http/define-route.ts';
import type { HttpDeps } from '../../platform/http/deps.ts';

const facts = z.object({
  version: z.string(),
  sandboxOnly: z.boolean().describe('No real person is contacted and no real money moves'),
  paymentProviders: z
    .array(z.enum(REAL_PROVIDER_NAMES as [RealProviderName, ...RealProviderName[]]))
    .describe('Where companies may connect accounts that receive money'),
  hasAccounts: z.boolean().describe('Whether anybody has signed up: the console of a new service begins with that'),
  signupOpen: z.literal(false).optional().describe('Only where the sign-up is closed, because one company is served'),
  verification: z
    .enum(['own', 'by_mail'])
    .optional()
    .describe('`own`: an owner confirms the company; `by_mail`: the operator is asked by a mail. Absent otherwise'),
  identity: z
    .object({ issuer: z.string(), clientId: z.string() })
    .nullable()
    .describe('The identity provider by which staff can sign in to the console'),
});

export const consoleRoutes = ({
  config: { version, sandboxOnly, paymentProviders, identity, verification },
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
    handler: async () => {
      const hasAccounts = await services.hasAccounts();
      return {
        status: 200,
        body: {
          version,
          sandboxOnly,
          paymentProviders: paymentProviders.slice(),
          hasAccounts,
          ...(verification === 'own' && hasAccounts && { signupOpen: false as const }),
          ...(verification !== undefined && { verification }),
          identity,
        },
      };
    },
  }),
];
