import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { REAL_CHANNELS } from '../../../kernel/messaging-channels.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { booleanQuery, idParams, page, pageQuery } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import {
  agingFigures,
  campaignChannels,
  campaignName,
  campaignSchema,
  filter,
  recoveryFigures,
} from '../../debts/routes/schemas.ts';
import { COUNTED_KINDS } from '../../messaging/rules/counted-kinds.ts';

const tags = ['Campaigns'];

const messageCosts = z
  .object({
    messages: z.array(
      z.object({
        channel: z.enum(REAL_CHANNELS),
        kind: z
          .enum(COUNTED_KINDS)
          .describe('Of WhatsApp `service` is a message without a template; the others are categories of templates'),
        free: z.int(),
        paid: z.int().describe('Of an SMS the segments'),
        total: z.number().nullable(),
      }),
    ),
    total: z.number().nullable().describe('Reais; null where a price is not known'),
    perRecoveredReal: z.number().nullable().describe('Reais for each recovered real; null before anything came'),
  })
  .describe(
    'What the delivered messages cost by the price list of this service. Those that are free each month belong to the first messages of a number. E-mails cost nothing',
  )
  .meta({ id: 'MessageCosts' });

const sum = { debts: z.int(), amount: z.number() };

export function campaignRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/campaigns',
      operationId: 'createCampaign',
      right: 'manage',
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
      right: 'read',
      summary: 'Your campaigns, newest first',
      tags,
      auth: 'bearer',
      query: pageQuery.extend({ include: filter(z.enum(['statistics'])) }),
      responses: {
        200: {
          description: 'A page',
          schema: page(campaignSchema.extend({ statistics: recoveryFigures.optional() })).describe(
            '`statistics` only with `include=statistics`: the same as `GET /api/campaigns/{id}/statistics`',
          ),
        },
      },
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
      right: 'read',
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
      method: 'DELETE',
      path: '/api/campaigns/:id/debts',
      operationId: 'deleteDraftDebts',
      right: 'manage',
      summary: 'Delete the debts of a draft, so that a file can be imported again',
      description:
        'A debt stays when its debtor has written, pressed a button or got a payment code, and when it is not IMPORTED any more: list the debts to see what stayed. Notes about deleted debts are deleted with them, and the debts may be imported again.',
      tags,
      auth: 'bearer',
      params: idParams,
      responses: { 204: { description: 'They are deleted' } },
      errors: ['campaign_not_draft'],
      handler: async ({ caller, params: { id: campaignId }, request }) => {
        const { clientId } = caller;
        await services.deleteDraftDebts({ clientId, campaignId, source: sourceOf(caller, request) });
        return { status: 204 };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/campaigns/:id/statistics',
      operationId: 'getCampaignStatistics',
      right: 'read',
      summary: 'What a campaign has recovered so far',
      tags,
      auth: 'bearer',
      params: idParams,
      query: z.object({ include: filter(z.enum(['cost'])) }),
      responses: {
        200: {
          description: 'The figures',
          schema: recoveryFigures.extend({ cost: messageCosts.optional() }).describe('`cost` only with `include=cost`'),
        },
      },
      errors: [],
      handler: async ({ caller: { clientId }, params, query }) => ({
        status: 200,
        body: await services.readStatistics({ clientId, campaignId: params.id, ...query }),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/dashboard',
      operationId: 'getDashboard',
      right: 'read',
      summary: 'Figures of all campaigns, and of the last 30 days',
      description:
        'Days are those of America/Sao_Paulo. Sandbox campaigns are counted apart. `aging` counts the debts that are due and open (IMPORTED, QUEUED, IN_COLLECTION, PROMISED, AGREEMENT, ON_HOLD, DISPUTED) by days past due, with their original amounts. `open` sums what is neither paid nor STOPPED, due or not, with original amounts; `outsideSequence` is the part of it that is OPTED_OUT, EXHAUSTED or UNREACHABLE. `promises`: `open` counts the debts that are PROMISED now, `kept` the promises that ended with the payment, `broken` those that lapsed and were followed by the next contact or by the end of the collection. `agreements` counts each agreement once, whichever campaigns its debts are in. `waiting` counts the debts in the inbox that are not snoozed.',
      tags,
      auth: 'bearer',
      query: z.object({ sandbox: booleanQuery.default(false) }),
      responses: {
        200: {
          description: 'The figures',
          schema: recoveryFigures.extend({
            aging: agingFigures,
            open: z.object({ ...sum, outsideSequence: z.object(sum) }),
            promises: z.object({ open: z.int(), kept: z.int(), broken: z.int() }),
            waiting: z.int(),
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
