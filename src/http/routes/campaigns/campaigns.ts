import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineRoute, type Route } from '../../define-route.ts';
import type { HttpDeps } from '../../deps.ts';
import { booleanQuery, idParams, page, pageQuery } from '../../fields.ts';
import { sourceOf } from '../../origin.ts';
import { campaignChannels, campaignName, campaignSchema, recoveryFigures } from './schemas.ts';

const tags = ['Campaigns'];

export function campaignRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/campaigns',
      operationId: 'createCampaign',
      summary: 'Create a campaign',
      tags,
      auth: 'bearer',
      idempotent: true,
      body: z.object({ name: campaignName, channels: campaignChannels.nullable().default(null) }),
      responses: { 201: { description: 'The draft', schema: campaignSchema } },
      errors: [],
      handler: async ({ caller, body: { name, channels }, request }) => ({
        status: 201,
        body: await services.createCampaign({
          clientId: caller.clientId,
          id: request.workId ?? randomUUID(),
          name,
          channels,
          source: sourceOf(caller, request),
        }),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/campaigns',
      operationId: 'listCampaigns',
      summary: 'Your campaigns, newest first',
      tags,
      auth: 'bearer',
      query: pageQuery,
      responses: { 200: { description: 'A page', schema: page(campaignSchema) } },
      errors: [],
      handler: async ({ caller: { clientId }, query }) => ({
        status: 200,
        body: await services.listCampaigns({ clientId, ...query }),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/campaigns/:id',
      operationId: 'getCampaign',
      summary: 'One campaign',
      tags,
      auth: 'bearer',
      params: idParams,
      responses: { 200: { description: 'The campaign', schema: campaignSchema } },
      errors: [],
      handler: async ({ caller: { clientId }, params }) => ({
        status: 200,
        body: await services.readCampaign({ clientId, campaignId: params.id }),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/campaigns/:id/statistics',
      operationId: 'getCampaignStatistics',
      summary: 'What a campaign has recovered so far',
      tags,
      auth: 'bearer',
      params: idParams,
      responses: { 200: { description: 'The figures', schema: recoveryFigures } },
      errors: [],
      handler: async ({ caller: { clientId }, params }) => ({
        status: 200,
        body: await services.readStatistics({ clientId, campaignId: params.id }),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/dashboard',
      operationId: 'getDashboard',
      summary: 'Figures of all campaigns, and of the last 30 days',
      description: 'Days are those of America/Sao_Paulo. Sandbox campaigns are counted apart.',
      tags,
      auth: 'bearer',
      query: z.object({ sandbox: booleanQuery.default(false) }),
      responses: {
        200: {
          description: 'The figures',
          schema: recoveryFigures.extend({
            daily: z.array(z.object({ date: z.string(), contacts: z.int(), payments: z.int(), recovered: z.number() })),
          }),
        },
      },
      errors: [],
      handler: async ({ caller: { clientId }, query: { sandbox } }) => ({
        status: 200,
        body: await services.readDashboard({ clientId, sandbox }),
      }),
    }),
  ];
}
