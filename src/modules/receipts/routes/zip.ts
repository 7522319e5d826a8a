import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { booleanQuery } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { filter } from '../../debts/routes/schemas.ts';
import { receiptsArchive } from '../texts/receipts-archive.ts';

export const receiptArchiveRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/receipts/zip',
    operationId: 'downloadReceipts',
    right: 'manage',
    summary: 'The receipts of a month as a ZIP',
    description:
      'Each document is named by its protocol, those of sandbox debts lie in the folder `teste`, and `recibos.csv` lists them all. At most 5,000 receipts. A download that breaks off has no end, which programs that read it notice.',
    tags: ['Receipts'],
    auth: 'jwt',
    clientRate: 'exports',
    query: z.object({
      month: z
        .string()
        .regex(/^[12]\d{3}-(?:0[1-9]|1[0-2])$/)
        .describe('The month of issue, by the clock of São Paulo, such as 2026-11'),
      campaignId: filter(z.uuid()),
      sandbox: booleanQuery.optional().describe('Only sandbox receipts, or only real ones; without it both'),
    }),
    responses: { 200: { description: 'The archive', contentType: 'application/zip' } },
    errors: [],
    handler: async ({ caller, query, request }) => {
      const asked = { clientId: caller.clientId, ...query, source: sourceOf(caller, request) };
      const receipts = await services.archiveReceipts(asked);
      const headers = {
        'Content-Disposition': `attachment; filename="recibos-${query.month}.zip"`,
        'Cache-Control': 'no-store',
      };
      return { status: 200, headers, body: receiptsArchive(receipts) };
    },
  }),
];
