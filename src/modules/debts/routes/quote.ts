import { z } from 'zod';
import { daysBetween } from '../../../kernel/calendar.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { amount, canRead, dateField, idParams } from '../../../platform/http/fields.ts';
import { newTerms } from '../../terms/routes/terms.ts';
import { COMPONENTS } from '../../terms/rules/credits.ts';

const amounts = {
  countsFrom: z.string().describe('The day from which days count; on that day itself nothing is charged'),
  days: z.int(),
  principal: z.number().describe('What is open of it'),
  fine: z.number(),
  interest: z.number(),
  correction: z.number(),
  total: z.number().describe('What is open of principal, fine, interest and correction'),
  lines: z
    .array(
      z.object({ component: z.enum(COMPONENTS), amount: z.number(), formula: z.string().describe('In Portuguese') }),
    )
    .readonly(),
  missing: z
    .array(z.string())
    .readonly()
    .describe('Months whose values are missing, such as `29543:2026-09`; their component waits for them'),
};

const quoteSchema = z
  .object({
    on: z.string(),
    dueDate: z.string(),
    originalAmount: z.number(),
    paid: z.number().describe('What was paid by that day, for information'),
    ...amounts,
    terms: z.object({ id: z.uuid(), clause: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'Quote' });

/** An example spans some years at most, because every month of it is looked up. */
const MAX_EXAMPLE_DAYS = 3_660;

const example = z
  .object({ amount, dueDate: dateField, on: dateField.describe('From `dueDate` to ten years after it') })
  .superRefine(
    ({ dueDate, on }, check) => {
      const days = daysBetween(dueDate, on);
      if (days < 0 || days > MAX_EXAMPLE_DAYS) {
        check.addIssue({
          code: 'custom',
          path: ['on'],
          params: { code: 'date_invalid' },
          message: 'A date from the due date to ten years after it',
        });
      }
    },
    canRead('dueDate', 'on'),
  )
  .transform(({ amount: amountCentavos, dueDate, on }) => ({ amountCentavos, dueDate, on }));

const previewSchema = z
  .object({
    example: z.object(amounts).nullable(),
    debts: z.object({
      count: z.int(),
      principal: z.number().describe('Their original amounts together'),
      before: z.number().nullable().describe('Owed of them today by the version that they would take now'),
      after: z
        .number()
        .nullable()
        .describe(
          'The same by the new one; both are null for more than 20,000 debts, or when adding up takes more than two seconds',
        ),
      campaignCount: z.int(),
      campaigns: z
        .array(z.object({ id: z.uuid(), name: z.string(), count: z.int() }))
        .readonly()
        .describe('At most 50, those with the most debts first'),
    }),
  })
  .meta({ id: 'TermsPreview' });

const on = dateField
  .optional()
  .describe('From the due date to 366 days ahead; today where the debtor lives when it is left out');

export const quoteRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/debts/:id/quote',
    operationId: 'quoteDebt',
    right: 'read',
    summary: 'What is owed of a debt on a day',
    description:
      'With fine, interest and correction by the version of your terms that the debt has taken; a debt of a draft by the version that it would take. A past day ignores later payments. In an agreement it is what the debt would be without it; what came by the agreement is in none of its debts until it ends.',
    tags: ['Debts'],
    auth: 'bearer',
    params: idParams,
    query: z.object({ on }),
    responses: { 200: { description: 'The quote', schema: quoteSchema } },
    errors: [],
    handler: async ({ caller: { clientId }, params, query }) => ({
      status: 200,
      body: await services.quoteDebt({ clientId, debtId: params.id, on: query.on }),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/terms/preview',
    operationId: 'previewTerms',
    right: 'manage',
    summary: 'What new terms would charge, and for which debts',
    description:
      'Stores nothing. `debts` are those of drafts that would take this version at their launch; a launched debt keeps its version.',
    tags: ['Terms'],
    auth: 'jwt',
    body: newTerms.safeExtend({ example: example.optional() }),
    responses: { 200: { description: 'The example and the debts', schema: previewSchema } },
    errors: [],
    handler: async ({ caller: { clientId }, body: { example: ofExample, ...terms } }) => ({
      status: 200,
      body: await services.previewTerms({ clientId, terms, example: ofExample }),
    }),
  }),
];
