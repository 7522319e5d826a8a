import { z } from 'zod';
import { parseLocalDate } from '../../../kernel/calendar.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams } from '../../../platform/http/fields.ts';
import { COMPONENTS } from '../../terms/rules/credits.ts';

const quoteSchema = z
  .object({
    on: z.string(),
    dueDate: z.string(),
    countsFrom: z.string().describe('The day from which days count; on that day itself nothing is charged'),
    days: z.int(),
    originalAmount: z.number(),
    principal: z.number().describe('What is open of it'),
    fine: z.number(),
    interest: z.number(),
    correction: z.number(),
    paid: z.number().describe('What was paid by that day, for information'),
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
    terms: z.object({ id: z.uuid(), clause: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'Quote' });

const on = z
  .string()
  .refine((text) => text.length === 10 && parseLocalDate(text) !== null, {
    params: { code: 'date_invalid' },
    message: 'A date such as 2026-11-20',
  })
  .optional()
  .describe('From the due date to 366 days ahead; today where the debtor lives when it is left out');

export const quoteRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/debts/:id/quote',
    operationId: 'quoteDebt',
    summary: 'What is owed of a debt on a day',
    description:
      'With fine, interest and correction by the version of your terms that the debt has taken; a debt of a draft by the version that it would take. A past day ignores later payments.',
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
];
