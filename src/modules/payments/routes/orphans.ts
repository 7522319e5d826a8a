import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams, page, pageQuery, reais } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { payment } from './payments.ts';

const tags = ['Payment accounts'];

const orphan = z
  .object({
    id: z.uuid(),
    amount: reais,
    paidAt: z.iso.datetime(),
    endToEndId: z.string().nullable().describe('The id of the Pix between the banks'),
  })
  .meta({ id: 'OrphanPayment' });

export const orphanRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/payments/orphans',
    operationId: 'listOrphanPayments',
    right: 'read',
    summary: 'Payments that came to your account without a charge, the newest first',
    description:
      'Somebody paid by key, or by a code that no charge of this service has. You say which debt each is for.',
    tags,
    auth: 'bearer',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: page(orphan) } },
    errors: [],
    handler: async ({ caller: { clientId }, query }) => ({
      status: 200,
      body: await services.listOrphans({ clientId, ...query }),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/payments/orphans/:id/assign',
    operationId: 'assignOrphanPayment',
    right: 'work',
    summary: 'Say which debt a payment without a charge is for',
    description:
      'It is recorded like a payment that you received elsewhere: it settles the debt, is a part of it, or pays the next instalments.',
    tags,
    auth: 'jwt',
    idempotent: true,
    params: idParams,
    body: z.object({ debtId: z.uuid() }),
    responses: { 200: { description: 'The payment of the debt; a repetition records nothing again', schema: payment } },
    errors: ['debt_state'],
    handler: async ({ caller, params, body, request }) => {
      const source = sourceOf(caller, request);
      const { clientId } = caller;
      const { debtId } = body;
      await services.assignReceived({ clientId, id: params.id, debtId, source });
      return { status: 200, body: await services.readPayment({ clientId, debtId }) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/payments/orphans/:id/dismiss',
    operationId: 'dismissOrphanPayment',
    right: 'work',
    summary: 'Say that a payment without a charge is for no debt',
    tags,
    auth: 'jwt',
    idempotent: true,
    params: idParams,
    responses: { 204: { description: 'It is not listed again' } },
    errors: ['debt_state'],
    handler: async ({ caller, params, request }) => {
      await services.dismissReceived({ clientId: caller.clientId, id: params.id, source: sourceOf(caller, request) });
      return { status: 204 };
    },
  }),
];
