import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { UNDO_DAYS } from '../rules/undo-days.ts';

export const undoRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/settlements/:id/undo',
    operationId: 'undoSettlement',
    right: 'manage',
    summary: 'Take back a payment that you recorded about the wrong debt',
    description: `For ${UNDO_DAYS} days, with everything that followed from it: the receipt is revoked, and the debt is as before. Of an agreement, the instalments are open again. The id is the \`settlementId\` of a file, or the \`paymentId\` of a payment that was recorded by hand. What a file told of waits in \`GET /api/payments/orphans\` again.`,
    tags: ['Payments'],
    auth: 'jwt',
    idempotent: true,
    params: idParams,
    responses: {
      200: {
        description: 'What was taken back; a repetition takes back nothing more',
        schema: z
          .object({ settlementId: z.uuid(), debtId: z.uuid(), paymentId: z.uuid() })
          .meta({ id: 'UndoneSettlement' }),
      },
    },
    errors: ['debt_state'],
    handler: async ({ caller, params: { id }, request }) => ({
      status: 200,
      body: await services.undoSettlement({ clientId: caller.clientId, id, source: sourceOf(caller, request) }),
    }),
  }),
];
