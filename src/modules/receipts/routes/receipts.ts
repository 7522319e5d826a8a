import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { booleanQuery, integerQuery } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { receiptFilename } from '../use-cases/receipt-letter.ts';
import { filterFields, receiptFilterOf, receiptSchema, regeneratedSchema } from './schemas.ts';
import { documentAnswer, SIGNED_DOWNLOAD } from './signed-download.ts';

const tags = ['Receipts'];
const PAGE = 100;

export function receiptRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/receipts/regenerate-all',
      operationId: 'regenerateReceipts',
      right: 'manage',
      summary: 'Generate one page of receipts again after a change of their template',
      description:
        'Repeat with `skip` set to `nextSkip` until that is null. Safe to run twice at once. A body narrows it to what a search with the same filter finds; with a day of issue, missing receipts stay missing.',
      tags,
      auth: 'jwt',
      idempotent: true,
      clientRate: 'regenerations',
      query: z.object({
        force: booleanQuery.default(false).describe('Includes receipts that already use the current template'),
        take: integerQuery(1, PAGE).default(PAGE),
        skip: integerQuery(0, 1_000_000_000).default(0),
      }),
      body: z.object(filterFields).optional(),
      responses: { 200: { description: 'The result for this page', schema: regeneratedSchema } },
      errors: [],
      handler: async ({ caller, query, body, request }) => {
        const source = sourceOf(caller, request);
        const filter = receiptFilterOf(body);
        return {
          status: 200,
          body: await services.regenerateReceipts({ clientId: caller.clientId, ...query, ...filter, source }),
        };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/receipts/:debtId',
      operationId: 'requestReceipt',
      right: 'work',
      summary: 'The receipt of a paid debt, issued when there is none yet',
      description: '`send=true` sends it only to the phone of the debt; the body cannot name another one.',
      tags,
      auth: 'jwt',
      idempotent: true,
      params: z.object({ debtId: z.uuid() }),
      query: z.object({ send: booleanQuery.default(false) }),
      responses: {
        200: { description: 'It existed', schema: receiptSchema },
        201: { description: 'Issued now', schema: receiptSchema },
      },
      errors: ['payment_not_confirmed', 'rate_limited', 'unavailable'],
      handler: async ({ caller, params, query, request }) => {
        const who = { clientId: caller.clientId, source: sourceOf(caller, request) };
        const sendingId = request.workId ?? randomUUID();
        const { created, ...body } = await services.requestReceipt({ ...who, ...params, ...query, sendingId });
        return created ? { status: 201, body } : { status: 200, body };
      },
    }),
    defineRoute({
      ...SIGNED_DOWNLOAD,
      path: '/api/receipts/download/:protocol',
      operationId: 'downloadReceipt',
      summary: 'The document of a receipt, by its signed link',
      description: 'Only the signature counts; an Authorization header does not replace it.',
      tags,
      handler: async ({ params: { protocol }, query: { sig } }) => {
        const { kind, ...file } = await services.downloadReceipt({ protocol, signature: sig });
        return documentAnswer(receiptFilename(protocol, kind), file);
      },
    }),
  ];
}
