import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams, page, pageQuery, reais } from '../../../platform/http/fields.ts';
import { author, by } from '../../accounts/routes/author.ts';
import { filter } from '../../debts/routes/schemas.ts';
import { ACCEPTED_BY, STOP_REASONS } from '../rules/acceptance.ts';
import { AGREEMENT_STATUSES, INSTALMENT_STATUSES } from '../rules/agreement-state.ts';

const tags = ['Agreements'];

/** An agreement as the API answers it. */
export const agreementSchema = z
  .object({
    id: z.uuid(),
    protocol: z.string().describe('The number of the Termo de Acordo'),
    status: z.enum(AGREEMENT_STATUSES),
    debtIds: z.array(z.uuid()).readonly().describe('In the order in which money is credited to them'),
    debtorName: z.string(),
    total: reais,
    discount: z.number(),
    paid: z.number().describe('What you still have of the money that came'),
    instalments: z
      .array(
        z.object({
          number: z.int(),
          dueDate: z.string(),
          amount: reais,
          status: z.enum(INSTALMENT_STATUSES),
          paidAt: z.iso.datetime().nullable(),
        }),
      )
      .readonly(),
    acceptedAt: z.iso.datetime(),
    acceptedBy: z.enum(ACCEPTED_BY),
    by: by.describe('The member who recorded the acceptance; absent when the debtor accepted it here'),
    cancelledBy: author.optional().describe('The member who cancelled it'),
    stoppedBecause: z
      .enum(STOP_REASONS)
      .nullable()
      .describe('Why it sends nothing and is not broken until you resume one of its debts'),
    sandbox: z.boolean(),
    url: z.url().describe('The Termo de Acordo (PDF)'),
  })
  .meta({ id: 'Agreement' });

export const agreementRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/agreements',
    operationId: 'listAgreements',
    right: 'read',
    summary: 'The agreements with your debtors, the newest first',
    tags,
    auth: 'bearer',
    query: pageQuery.extend({
      status: filter(z.enum(AGREEMENT_STATUSES)),
      campaignId: filter(z.uuid()),
      debtId: filter(z.uuid()),
    }),
    responses: { 200: { description: 'A page', schema: page(agreementSchema) } },
    errors: [],
    handler: async ({ caller: { clientId }, query }) => ({
      status: 200,
      body: await services.listAgreementsOfClient({ clientId, ...query }),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/agreements/:id',
    operationId: 'getAgreement',
    right: 'read',
    summary: 'One agreement',
    tags,
    auth: 'bearer',
    params: idParams,
    responses: { 200: { description: 'The agreement', schema: agreementSchema } },
    errors: [],
    handler: async ({ caller: { clientId }, params }) => ({
      status: 200,
      body: await services.readAgreementOfClient({ clientId, agreementId: params.id }),
    }),
  }),
];
