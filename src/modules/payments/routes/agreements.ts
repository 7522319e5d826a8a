import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { agreementSchema } from '../../agreements/routes/agreements.ts';
import { requiredStaffText } from '../../debts/routes/staff-text.ts';

const MAX_REASON = 1_000;

export const agreementActionRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/agreements/:id/cancel',
    operationId: 'cancelAgreement',
    right: 'manage',
    summary: 'Cancel an agreement',
    description:
      'The debts are owed as if there had been no agreement, less what was paid. 409 when it is not active any more.',
    tags: ['Agreements'],
    auth: 'jwt',
    params: idParams,
    body: z.object({ reason: requiredStaffText(MAX_REASON).describe('For your staff; the debtor never sees it') }),
    responses: { 200: { description: 'The cancelled agreement', schema: agreementSchema } },
    errors: ['debt_state'],
    handler: async ({ caller, params, body: { reason }, request }) => ({
      status: 200,
      body: await services.cancelAgreement({
        clientId: caller.clientId,
        agreementId: params.id,
        reason,
        source: sourceOf(caller, request),
      }),
    }),
  }),
];
