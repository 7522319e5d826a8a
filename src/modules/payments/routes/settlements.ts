import { z } from 'zod';
import { daysBetween } from '../../../kernel/calendar.ts';
import { requireRight } from '../../../kernel/member-rights.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { booleanQuery, canRead, dateField } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { CSV_TYPE, isTableFormat, TABLE_FORMATS, tableAnswer, XLSX_TYPE } from '../../../platform/http/tables.ts';
import { SETTLEMENTS_TABLE } from '../texts/settlements-table.ts';

const MAX_DAYS = 366;
const JSON_TYPE = 'application/json';

const daysOf = (from: string, to: string): number => daysBetween(from, to) + 1;

const period = z
  .object({
    from: dateField.describe('The first day, by the clock of São Paulo'),
    to: dateField.describe(`The last day, at most ${MAX_DAYS} days in all`),
    sandbox: booleanQuery.default(false).describe('Sandbox payments instead of real ones'),
  })
  .superRefine(
    ({ from, to }, issues) => {
      const days = daysOf(from, to);
      if (days >= 1 && days <= MAX_DAYS) return;
      const message = `The period has 1 to ${MAX_DAYS} days`;
      issues.addIssue({ code: 'custom', path: ['to'], params: { code: days < 1 ? 'too_small' : 'too_big' }, message });
    },
    canRead('from', 'to'),
  );

const figures = {
  payments: z.int().describe('Payments that came, also those that were too small or came twice'),
  amount: z.number().describe('Their sum in reais'),
  refunds: z.int().describe('Refunds, chargebacks, and chargebacks that were reversed'),
  refunded: z.number().describe('What went back, in reais; a reversed chargeback counts negative'),
  receipts: z.int().describe('Receipts that were issued'),
};

export const settlementRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/reports/settlements',
    operationId: 'getSettlements',
    right: 'read',
    summary: 'Payments, refunds and receipts by day, for the accountant',
    description:
      'A payment counts on the day on which the money came, a refund or chargeback on the day on which the service learned of it. As CSV or XLSX (`Accept`) the report has one line for each payment and each refund, with the whole CPF or CNPJ. A payment by an agreement is one line, with the invoices of all its debts; what it was credited to is empty until the agreement has ended.',
    tags: ['Payments'],
    auth: 'bearer',
    clientRate: 'exports',
    query: period,
    responses: {
      200: {
        description: 'The figures, or the file',
        schema: z.object({
          days: z.array(z.object({ date: z.string(), ...figures })),
          totals: z.object(figures),
        }),
        orTypes: [CSV_TYPE, XLSX_TYPE],
      },
    },
    errors: ['role_insufficient'],
    handler: async ({ caller, query, request }) => {
      const asked = { clientId: caller.clientId, ...query };
      const format = request.accepts([JSON_TYPE, ...TABLE_FORMATS]);
      if (!isTableFormat(format)) {
        return { status: 200, headers: { Vary: 'Accept' }, body: await services.readSettlements(asked) };
      }
      requireRight(caller.role, 'manage');
      const portions = await services.exportSettlements({ ...asked, source: sourceOf(caller, request) });
      return tableAnswer(format, `baixas-${query.from}-a-${query.to}`, SETTLEMENTS_TABLE, portions);
    },
  }),
];
