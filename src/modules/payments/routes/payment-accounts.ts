import { z } from 'zod';
import { REAL_PROVIDER_NAMES, type RealProviderName } from '../../../kernel/payment-providers.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { memberOf, sourceOf } from '../../../platform/http/origin.ts';
import { givenAccount } from './given-account.ts';

const tags = ['Payment accounts'];

const account = z
  .object({
    id: z.uuid(),
    provider: z.enum(REAL_PROVIDER_NAMES as [RealProviderName, ...RealProviderName[]]),
    profile: z.string().nullable().describe('The bank, for `pix`'),
    account: z.string().describe('What the provider calls the account; the Pix key at a bank'),
    state: z.enum(['ready', 'failing', 'replaced']).describe('`replaced`: it is kept for the charges that it made'),
    reason: z
      .string()
      .nullable()
      .describe(
        'Why it fails: `credentials_refused`, `unavailable`, `certificate_expired`, or `notifications_elsewhere` when the bank tells another address of payments',
      ),
    certificateExpiresAt: z.iso.datetime().nullable(),
    openCharges: z.int(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'PaymentAccount' });

export const paymentAccountRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/payment-accounts',
    operationId: 'listPaymentAccounts',
    right: 'manage',
    summary: 'The accounts at which you receive money',
    description: 'The connected one, which makes new charges, comes first. No credentials are shown.',
    tags,
    auth: 'bearer',
    responses: { 200: { description: 'All accounts that are kept', schema: z.object({ items: z.array(account) }) } },
    errors: [],
    handler: async ({ caller: { clientId } }) => ({
      status: 200,
      body: { items: await services.listPaymentAccounts(clientId) },
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/payment-accounts',
    operationId: 'connectPaymentAccount',
    right: 'administer',
    stepUp: 'always',
    summary: 'Connect an account at which you receive money',
    description:
      'The provider is asked at once whether it accepts the credentials and has the Pix key, and is told where notifications go. What is wrong is said at its field: `credentials_refused`, `key_unknown`, `certificate_invalid`, `certificate_expired`, `not_offered`. The account makes all new charges from now on; another one is kept until its charges have ended.',
    tags,
    auth: 'jwt',
    idempotent: true,
    body: givenAccount,
    responses: { 201: { description: 'The connected account', schema: account } },
    errors: ['unavailable'],
    handler: async ({ caller, body, request }) => {
      const { clientId } = caller;
      const { id } = await services.connectPaymentAccount({
        ...memberOf(caller),
        sessionId: caller.sessionId,
        account: body,
        source: sourceOf(caller, request),
      });
      const connected = (await services.listPaymentAccounts(clientId)).find((one) => one.id === id);
      if (connected === undefined) throw new Error('The account was removed while it was connected');
      return { status: 201, body: connected };
    },
  }),
];
