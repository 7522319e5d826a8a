import { z } from 'zod';
import { defineRoute, type Route } from '../../define-route.ts';
import type { HttpDeps } from '../../deps.ts';
import { idParams } from '../../fields.ts';
import { sourceOf } from '../../origin.ts';
import { debtDetailsSchema } from '../campaigns/schemas.ts';

const tags = ['Debts'];

const CHANGES = [
  ['resume', 'resumeDebt', 'Continue a debt that was disputed or put on hold'],
  ['withdraw', 'withdrawDebt', 'Stop collecting a debt: it becomes STOPPED'],
] as const;

const facts = { tags, auth: 'bearer', params: idParams } as const;

export function debtActionRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  return [
    ...CHANGES.map(([change, operationId, summary]) =>
      defineRoute({
        ...facts,
        method: 'POST',
        path: `/api/debts/:id/${change}`,
        operationId,
        summary,
        responses: { 200: { description: 'The debt as it is now', schema: debtDetailsSchema } },
        errors: ['debt_state'],
        handler: async ({ caller, params: { id: debtId }, request }) => {
          const { clientId } = caller;
          await services[operationId]({ clientId, debtId, source: sourceOf(caller, request) });
          return { status: 200, body: await services.readDebt({ clientId, debtId }) };
        },
      }),
    ),
    defineRoute({
      ...facts,
      method: 'GET',
      path: '/api/debts/:id/contact-eligibility',
      operationId: 'getContactEligibility',
      summary: 'Whether the debtor may be contacted now, and from when',
      description: 'Asks the contact policy without a reservation. Only your own contacts are counted here.',
      responses: {
        200: {
          description: 'The verdict',
          schema: z.object({
            allowed: z.boolean(),
            rules: z.array(z.string()).readonly().describe('The rules that allow the contact, or those that forbid it'),
            ruleIds: z.array(z.string()).readonly().describe('The rules of the policy pack behind them'),
            pack: z
              .object({ id: z.string(), version: z.string() })
              .describe('The pack that contains the rules: see `GET /api/policy`'),
            notBefore: z.iso.datetime().nullable().describe('The earliest moment that is allowed in the present state'),
          }),
        },
      },
      errors: [],
      handler: async ({ caller: { clientId }, params: { id: debtId } }) => ({
        status: 200,
        body: await services.checkEligibility({ clientId, debtId }),
      }),
    }),
  ];
}
