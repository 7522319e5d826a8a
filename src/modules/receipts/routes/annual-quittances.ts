import { z } from 'zod';
import { DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { integerQuery, reais } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { FIRST_QUITTANCE_YEAR, LAST_QUITTANCE_YEAR, QUITTANCE_REFUSALS } from '../rules/annual-quittance.ts';
import { documentAnswer, SIGNED_DOWNLOAD } from './signed-download.ts';

const tags = ['Receipts'];

const bill = z.object({
  debtId: z.uuid(),
  invoiceId: z.string().nullable(),
  dueDate: z.string(),
  status: z.enum(DEBT_STATUSES),
  amount: reais,
});

const quittanceSchema = z
  .object({
    protocol: z.string(),
    year: z.int(),
    issuedAt: z.iso.datetime(),
    url: z.url().describe('The signed address of the document (PDF)'),
  })
  .meta({ id: 'AnnualQuittance' });

const yearSchema = z
  .object({
    year: z.int(),
    bills: z
      .array(bill.extend({ paid: reais, paidOn: z.string() }))
      .readonly()
      .describe('The paid bills that were due in the year'),
    ended: z
      .array(bill)
      .readonly()
      .describe('Bills of the year that you ended without a payment: neither owed nor paid'),
    earlierOwed: z
      .array(bill)
      .readonly()
      .describe('Bills of earlier years that are still owed: the declaration excepts them'),
    refusals: z
      .array(z.object({ code: z.enum(QUITTANCE_REFUSALS), debtIds: z.array(z.uuid()).readonly() }))
      .readonly()
      .describe('Why the year cannot be quitted; empty when it can'),
    statement: z
      .string()
      .nullable()
      .describe('What you confirm when you issue it: a bill that was paid on time is not known here'),
    issued: quittanceSchema.nullable().describe('The valid declaration of exactly these bills'),
  })
  .meta({ id: 'QuittanceYear' });

const year = { minimum: FIRST_QUITTANCE_YEAR, maximum: LAST_QUITTANCE_YEAR } as const;

export const annualQuittanceRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/annual-quittances',
    operationId: 'readAnnualQuittance',
    right: 'read',
    summary: 'Whether a year of a person may be quitted (Lei 12.007/2009), with its bills',
    tags,
    auth: 'jwt',
    query: z.object({
      debtId: z.uuid().describe('Any debt of the person'),
      year: integerQuery(year.minimum, year.maximum),
    }),
    responses: { 200: { description: 'The year', schema: yearSchema } },
    errors: ['not_found'],
    handler: async ({ caller: { clientId }, query }) => ({
      status: 200,
      body: await services.readAnnualQuittance({ clientId, ...query }),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/annual-quittances',
    operationId: 'issueAnnualQuittance',
    right: 'work',
    summary: 'Issue the declaration that all bills of a person of a year are paid',
    description:
      'The same bills have one declaration: a second call answers the first one. It is revoked when a payment of one of its bills goes back.',
    tags,
    auth: 'jwt',
    idempotent: true,
    body: z.object({
      debtId: z.uuid().describe('Any debt of the person'),
      year: z.int().min(year.minimum).max(year.maximum),
      statement: z.string().max(2_000).describe('The `statement` of the year, word by word: you confirm it'),
    }),
    responses: {
      200: { description: 'It existed', schema: quittanceSchema },
      201: { description: 'Issued now', schema: quittanceSchema },
    },
    errors: ['not_found', 'quittance_impossible', 'unavailable'],
    handler: async ({ caller, body, request }) => {
      const source = sourceOf(caller, request);
      const asked = { clientId: caller.clientId, ...body, source };
      const { created, ...quittance } = await services.issueAnnualQuittance(asked);
      return created ? { status: 201, body: quittance } : { status: 200, body: quittance };
    },
  }),
  defineRoute({
    ...SIGNED_DOWNLOAD,
    path: '/api/annual-quittances/download/:protocol',
    operationId: 'downloadAnnualQuittance',
    summary: 'The document of an annual quittance, by its signed link',
    description: 'Only the signature counts; an Authorization header does not replace it.',
    tags,
    handler: async ({ params: { protocol }, query: { sig } }) => {
      const file = await services.downloadAnnualQuittance({ protocol, signature: sig });
      return documentAnswer(`quitacao-anual-${protocol}.pdf`, file);
    },
  }),
];
