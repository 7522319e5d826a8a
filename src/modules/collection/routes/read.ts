import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams, page, pageQuery } from '../../../platform/http/fields.ts';
import { debtDetailsSchema, debtSchema, filter } from '../../debts/routes/schemas.ts';
import { timelineEntry } from '../../debts/routes/timeline-entry.ts';
import { debtStatus } from '../../events/routes/schemas.ts';

const tags = ['Debts'];

export function debtRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/campaigns/:id/debts',
      operationId: 'listDebts',
      right: 'read',
      summary: 'The debts of a campaign, in the order of import',
      tags,
      auth: 'bearer',
      params: idParams,
      query: pageQuery.extend({ status: filter(debtStatus), invoiceId: filter(z.string()) }),
      responses: { 200: { description: 'A page', schema: page(debtSchema) } },
      errors: [],
      handler: async ({ caller: { clientId }, params, query }) => ({
        status: 200,
        body: await services.listDebts({ clientId, campaignId: params.id, ...query }),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/debts/:id',
      operationId: 'getDebt',
      right: 'read',
      summary: 'One debt and the end of its timeline',
      tags,
      auth: 'bearer',
      params: idParams,
      responses: {
        200: {
          description: 'The debt',
          schema: debtDetailsSchema,
        },
      },
      errors: [],
      handler: async ({ caller: { clientId, member }, params }) => ({
        status: 200,
        body: await services.readDebt({ clientId, debtId: params.id, memberId: member?.id ?? null }),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/debts/:id/timeline',
      operationId: 'listTimeline',
      right: 'read',
      summary: 'The timeline of a debt, back from the newest entry',
      description:
        '`cursor` is `timelineCursor` of `GET /api/debts/{id}`, which goes on before the entries shown there, or `nextCursor` of the page before.',
      tags,
      auth: 'bearer',
      params: idParams,
      query: pageQuery,
      responses: { 200: { description: 'A page, the newest entry first', schema: page(timelineEntry) } },
      errors: [],
      handler: async ({ caller: { clientId }, params, query }) => ({
        status: 200,
        body: await services.readTimeline({ clientId, debtId: params.id, ...query }),
      }),
    }),
  ];
}
