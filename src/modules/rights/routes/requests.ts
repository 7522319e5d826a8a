import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams, page, pageQuery } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { by } from '../../accounts/routes/author.ts';
import { correctionFields } from '../../collection/routes/correct.ts';
import { filter } from '../../debts/routes/schemas.ts';
import { FILE_ENDINGS } from '../rules/file-content.ts';
import { REQUEST_STATES } from '../rules/request-states.ts';
import { MAX_ANSWER, OUTCOMES, RIGHTS_KINDS } from '../rules/rights-request.ts';

const tags = ['Rights'];
const UNKNOWN = 'application/octet-stream';

const rightsRequest = z
  .object({
    id: z.uuid(),
    protocol: z.string(),
    kind: z.enum(RIGHTS_KINDS),
    debtId: z.uuid().describe('The debt that it is about, or one that stands for the person'),
    debtorName: z.string(),
    text: z.string().describe('In the person’s words; empty once they were erased'),
    file: z.object({ contentType: z.string(), bytes: z.int() }).nullable(),
    createdAt: z.iso.datetime(),
    dueAt: z.iso.datetime().nullable().describe('The last moment of the law; null for what was done at once'),
    answeredAt: z.iso.datetime().nullable(),
    outcome: z.enum(OUTCOMES).nullable(),
    answer: z.string().nullable(),
    changed: z.array(z.string()).describe('The data that was corrected with the answer'),
    sandbox: z.boolean(),
    by,
  })
  .meta({ id: 'RightsRequest' });

export const rightsRequestRoutes = ({ services, now }: Pick<HttpDeps, 'services' | 'now'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/rights-requests',
    operationId: 'listRightsRequests',
    right: 'work',
    summary: 'What persons have asked on their page of rights, the latest first',
    tags,
    auth: 'bearer',
    query: pageQuery.extend({
      state: filter(z.enum(REQUEST_STATES)),
      debtId: filter(z.uuid()).describe('Only requests about this debt'),
    }),
    responses: { 200: { description: 'A page', schema: page(rightsRequest) } },
    errors: [],
    handler: async ({ caller: { clientId }, query: { state = 'all', ...query } }) => ({
      status: 200,
      body: await services.listRightsRequests({ clientId, state, ...query }),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/rights-requests/:id/file',
    operationId: 'downloadRightsFile',
    right: 'work',
    summary: 'The file that came with a request',
    description: 'Nobody has checked the content: open it like any file from a stranger. It is kept for 180 days.',
    tags,
    auth: 'bearer',
    params: idParams,
    responses: { 200: { description: 'The content', contentType: UNKNOWN } },
    errors: [],
    handler: async ({ caller: { clientId }, params: { id } }) => {
      const { content, contentType } = await services.readRightsFile({ clientId, id });
      return {
        status: 200,
        body: content,
        headers: {
          'Content-Type': contentType,
          'Content-Disposition': `attachment; filename="pedido-${id.slice(0, 8)}.${FILE_ENDINGS[contentType]}"`,
          'Content-Security-Policy': "sandbox; default-src 'none'",
          'X-Content-Type-Options': 'nosniff',
          'Cache-Control': 'no-store',
        },
      };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/rights-requests/:id/answer',
    operationId: 'answerRightsRequest',
    right: 'work',
    summary: 'Answer a request; the person reads it on their page',
    description:
      'A request is answered once. `changes` is corrected before, as `PATCH /api/debts/{id}` does, which takes the right to manage.',
    tags,
    auth: 'jwt',
    idempotent: true,
    params: idParams,
    body: z.object({
      text: z.string().trim().min(1).max(MAX_ANSWER),
      outcome: z.enum(OUTCOMES),
      changes: z.object(correctionFields(now)).nullable().optional(),
    }),
    responses: { 200: { description: 'The request with its answer', schema: rightsRequest } },
    errors: ['debt_state'],
    handler: async ({ caller, params: { id }, body, request }) => {
      const { text, outcome, changes = null } = body;
      const correction =
        changes === null
          ? null
          : {
              debtorPhone: changes.debtorPhone,
              debtorEmail: changes.debtorEmail,
              dueDate: changes.dueDate,
              amountCentavos: changes.originalAmount,
            };
      const { clientId, role } = caller;
      const source = sourceOf(caller, request);
      const answered = { clientId, id, text, outcome, changes: correction, role, source };
      return { status: 200, body: await services.answerRightsRequest(answered) };
    },
  }),
];
