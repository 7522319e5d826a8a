import { z } from 'zod';
import { RECEIPT_KINDS } from '../../../kernel/receipt-kinds.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { dateField, page, pageQuery, reais } from '../../../platform/http/fields.ts';
import { filter } from '../../debts/routes/schemas.ts';
import { filterFields, receiptFilterOf, receiptSchema } from './schemas.ts';

const { protocol, debtId, paymentId, issuedAt, templateVersion, url } = receiptSchema.shape;

const listedReceipt = z
  .object({
    protocol,
    kind: z
      .enum(RECEIPT_KINDS)
      .describe('`settlement` is the Termo de Quitação; the others say that they are no quittance of the rest'),
    debtId,
    campaignId: z.uuid(),
    paymentId,
    issuedAt,
    templateVersion,
    url,
    sent: z.boolean().describe('Whether it was sent to the phone of the debt'),
    debtorName: z.string(),
    amount: reais.describe('What it confirms, in reais'),
    revokedAt: z.iso.datetime().nullable().describe('When it was revoked because the payment was returned'),
    sandbox: z.boolean(),
  })
  .meta({ id: 'ListedReceipt' });

export const receiptListRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/receipts',
    operationId: 'listReceipts',
    right: 'read',
    summary: 'The issued receipts, the newest first',
    tags: ['Receipts'],
    auth: 'jwt',
    query: pageQuery.extend({
      campaignId: filter(z.uuid()),
      debtId: filter(z.uuid()),
      from: filter(dateField).describe('The first day of issue, by the clock of São Paulo'),
      to: filter(dateField).describe('The last day of issue'),
    }),
    responses: { 200: { description: 'A page', schema: page(listedReceipt) } },
    errors: [],
    handler: async ({ caller: { clientId }, query }) => ({
      status: 200,
      body: await services.listReceipts({ clientId, ...query }),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/receipts/search',
    operationId: 'searchReceipts',
    right: 'read',
    summary: 'Search the issued receipts',
    description:
      'The text to search stands in the body, because names and tax ids do not belong in addresses. The newest come first.',
    tags: ['Receipts'],
    auth: 'jwt',
    body: z.object({
      ...filterFields,
      debtId: z.uuid().nullish(),
      limit: z.int().min(1).max(100).nullish().describe('Default 50'),
      cursor: z.string().max(500).nullish().describe('The `nextCursor` of the same search'),
    }),
    responses: { 200: { description: 'A page', schema: page(listedReceipt) } },
    errors: [],
    handler: async ({ caller: { clientId }, body }) => ({
      status: 200,
      body: await services.searchReceipts({
        clientId,
        ...receiptFilterOf(body),
        debtId: body.debtId ?? undefined,
        limit: body.limit ?? 50,
        cursor: body.cursor ?? undefined,
      }),
    }),
  }),
];
