import { z } from 'zod';
import { DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { statisticsDay } from '../../../kernel/statistics-day.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { dateField, page } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { CSV_TYPE, isTableFormat, TABLE_FORMATS, tableAnswer, XLSX_TYPE } from '../../../platform/http/tables.ts';
import { debtStatus } from '../../events/routes/schemas.ts';
import { DEBT_SORT_NAMES, DEFAULT_DEBT_SORT } from '../rules/debt-sorts.ts';
import { INBOX_REASONS } from '../rules/inbox-reasons.ts';
import { DEBTS_TABLE } from '../texts/debts-table.ts';
import { debtSchema } from './schemas.ts';

const tags = ['Debts'];

/** What staff type into a search box. Null is as absent. */
export const searchedText = z
  .string()
  .transform((text) => text.trim())
  .refine((text) => text.length >= 1 && text.length <= 200 && [...text].length <= 100, {
    params: { code: 'text_invalid' },
    message: '1 to 100 characters',
  })
  .nullish();

export const SEARCHED_DEBT =
  'A CNPJ, a CPF or its first six digits or more, a phone or its last eight digits or more, the beginning of an invoice, or words, each the beginning of a word of the name, in any order; capitals, accents and punctuation make no difference';

const filterFields = {
  q: searchedText.describe(SEARCHED_DEBT),
  campaignId: z.uuid().nullish(),
  status: z
    .array(debtStatus)
    .max(DEBT_STATUSES.length)
    .nullish()
    .describe('Any of these; an empty list does not filter'),
  dueFrom: dateField.nullish(),
  dueTo: dateField.nullish().describe('The last day'),
  sandbox: z.boolean().nullish().describe('Only sandbox debts, or only real ones; without it both'),
};

/** Null is as absent, because the forms of a program send it for an empty field. */
const filterSchema = z.object(filterFields).meta({ id: 'DebtFilter' });

export const debtFilter = filterSchema.transform(({ q, campaignId, status, dueFrom, dueTo, sandbox }) => ({
  q: q ?? undefined,
  campaignId: campaignId ?? undefined,
  status: status ?? undefined,
  dueFrom: dueFrom ?? undefined,
  dueTo: dueTo ?? undefined,
  sandbox: sandbox ?? undefined,
}));

const sort = z
  .enum(DEBT_SORT_NAMES as [(typeof DEBT_SORT_NAMES)[number], ...typeof DEBT_SORT_NAMES])
  .nullish()
  .describe('With `-` before it the largest first; `createdAt` is the order of import. Default `-createdAt`');

const searchBody = z.object({
  ...filterFields,
  sort,
  limit: z.int().min(1).max(100).nullish().describe('Default 50'),
  cursor: z.string().max(3_000).nullish().describe('The `nextCursor` of the same search with the same sort'),
});

export const inboxReason = z.enum(INBOX_REASONS).meta({ id: 'InboxReason' });

const foundDebtSchema = z
  .object({
    ...debtSchema.shape,
    campaignName: z.string(),
    sandbox: z.boolean(),
    holdReason: inboxReason.nullable().describe('Why a debt in status ON_HOLD waits for you'),
    nextContactAt: z.iso.datetime().nullable().describe('By the clock of the debt'),
    promisedFor: z.string().nullable().describe('YYYY-MM-DD'),
    owedToday: z
      .number()
      .nullable()
      .describe(
        'What is open today with fine, interest and correction, in reais: the total of `GET /api/debts/{id}/quote`, or in an agreement what is open of its share; null for a row that a later import has replaced',
      ),
    receiptProtocol: z.string().nullable().describe('Of a debt in status PAID, once its receipt is issued'),
  })
  .meta({ id: 'FoundDebt' });

export function debtSearchRoutes({ services, now }: Pick<HttpDeps, 'services' | 'now'>): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/debts/search',
      operationId: 'searchDebts',
      right: 'read',
      summary: 'Search the debts of all campaigns',
      description:
        'The text to search stands in the body, because names and tax ids do not belong in addresses. `total` is exact up to 250,000 debts.',
      tags,
      auth: 'bearer',
      body: searchBody,
      responses: { 200: { description: 'A page', schema: page(foundDebtSchema).extend({ total: z.int() }) } },
      errors: [],
      handler: async ({ caller: { clientId }, body }) => ({
        status: 200,
        body: await services.searchDebts({
          clientId,
          ...debtFilter.parse(body),
          sort: body.sort ?? DEFAULT_DEBT_SORT,
          limit: body.limit ?? 50,
          cursor: body.cursor ?? undefined,
        }),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/debts/export',
      operationId: 'exportDebts',
      right: 'manage',
      summary: 'Download the debts of a search as CSV or XLSX',
      description:
        'Takes the body of a search; `limit` and `cursor` are ignored. `Accept` chooses the format, and CSV is the answer when it names neither. The file has the debts that the search finds when the call begins, at most 250,000, in its order; each line is read when it is written. A download that breaks off ends without the end of its encoding.',
      tags,
      auth: 'bearer',
      clientRate: 'exports',
      body: searchBody,
      responses: { 200: { description: 'The file', contentType: CSV_TYPE, orTypes: [XLSX_TYPE] } },
      errors: [],
      handler: async ({ caller, body, request }) => {
        const format = request.accepts(TABLE_FORMATS);
        const portions = await services.exportDebts({
          clientId: caller.clientId,
          ...debtFilter.parse(body),
          sort: body.sort ?? DEFAULT_DEBT_SORT,
          source: sourceOf(caller, request),
        });
        const name = `dividas-${statisticsDay(now().getTime())}`;
        return tableAnswer(isTableFormat(format) ? format : 'text/csv', name, DEBTS_TABLE, portions);
      },
    }),
  ];
}
