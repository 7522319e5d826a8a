import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { filter } from '../../debts/routes/schemas.ts';
import { requiredStaffText } from '../../debts/routes/staff-text.ts';

const PATH = '/api/saved-answers';
const common = { tags: ['Debts'], auth: 'bearer' } as const;

const fields = {
  name: requiredStaffText(60)
    .transform((name) => name.replaceAll('\n', ' '))
    .describe('How your staff find it'),
  text: requiredStaffText(1_000).describe('May contain {{nome}} and {{credor}}; checked as an answer is'),
};
const answer = z.object({ id: z.uuid(), name: z.string(), text: z.string() }).meta({ id: 'SavedAnswer' });

export const savedAnswerRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    ...common,
    method: 'GET',
    path: PATH,
    operationId: 'listSavedAnswers',
    right: 'work',
    summary: 'The texts that your staff put into their answers, by name',
    query: z.object({
      debtId: filter(z.uuid()).describe('`filled` then is each text with this debtor’s first name and the creditor'),
    }),
    responses: {
      200: {
        description: 'All of them, at most 100',
        schema: z.object({ items: z.array(answer.extend({ filled: z.string().optional() })) }),
      },
    },
    errors: ['not_found'],
    handler: async ({ caller: { clientId }, query: { debtId } }) => ({
      status: 200,
      body: { items: await services.listSavedAnswers({ clientId, debtId }) },
    }),
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: PATH,
    operationId: 'createSavedAnswer',
    right: 'manage',
    summary: 'Save a text for answers',
    description:
      'What the law forbids is refused with 400 at `/text`, as in an answer. `too_many_answers` when there are 100 already.',
    idempotent: true,
    body: z.object(fields),
    responses: { 201: { description: 'The text', schema: answer } },
    errors: [],
    handler: async ({ caller, body, request }) => {
      const { clientId } = caller;
      const id = request.workId ?? randomUUID();
      return {
        status: 201,
        body: await services.createSavedAnswer({ clientId, id, ...body, source: sourceOf(caller, request) }),
      };
    },
  }),
  defineRoute({
    ...common,
    method: 'PATCH',
    path: `${PATH}/:id`,
    operationId: 'changeSavedAnswer',
    right: 'manage',
    summary: 'Change a saved text',
    params: idParams,
    body: z.object(fields).partial(),
    responses: { 200: { description: 'The text', schema: answer } },
    errors: [],
    handler: async ({ caller, params: { id }, body: { name, text }, request }) => {
      const words = { ...(name !== undefined && { name }), ...(text !== undefined && { text }) };
      const { clientId } = caller;
      return {
        status: 200,
        body: await services.changeSavedAnswer({ clientId, id, ...words, source: sourceOf(caller, request) }),
      };
    },
  }),
  defineRoute({
    ...common,
    method: 'DELETE',
    path: `${PATH}/:id`,
    operationId: 'deleteSavedAnswer',
    right: 'manage',
    summary: 'Delete a saved text',
    params: idParams,
    responses: { 204: { description: 'It is deleted' } },
    errors: [],
    handler: async ({ caller, params: { id }, request }) => {
      await services.removeSavedAnswer({ clientId: caller.clientId, id, source: sourceOf(caller, request) });
      return { status: 204 };
    },
  }),
];
