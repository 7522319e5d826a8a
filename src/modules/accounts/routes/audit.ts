import { z } from 'zod';
import { statisticsDay } from '../../../kernel/statistics-day.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { dateField, page, pageQuery } from '../../../platform/http/fields.ts';
import { sourceOf } from '../../../platform/http/origin.ts';
import { CSV_TYPE, isTableFormat, TABLE_FORMATS, tableAnswer, XLSX_TYPE } from '../../../platform/http/tables.ts';
import { AUDIT_ACTIONS, AUDIT_GROUPS } from '../texts/audit-actions.ts';
import { AUDIT_TABLE } from '../texts/audit-table.ts';
import { MAX_EXPORTED_ENTRIES } from '../use-cases/export-audit.ts';
import type { AuditFilter } from '../use-cases/read-audit.ts';
import { by } from './author.ts';

const FILTERS = [...AUDIT_GROUPS, ...Object.keys(AUDIT_ACTIONS)] as [string, ...string[]];

const filter = z.object({
  action: z
    .enum(FILTERS)
    .transform((action) => action as AuditFilter['action'])
    .optional()
    .describe(`One action, or all of a group: ${AUDIT_GROUPS.join(', ')}`),
  from: dateField.optional().describe('The first day, by the clock of São Paulo'),
  to: dateField.optional().describe('The last day'),
});

const entry = z
  .object({
    id: z.uuid(),
    at: z.iso.datetime(),
    actor: z.string().describe('`client`, `anonymous`, `identity_provider`, `operator` or `system`'),
    action: z.string(),
    target: z.string().nullable().describe('Id of the object of the action'),
    ip: z.string().nullable().describe('The IP address of the caller, or `command` for the operator'),
    details: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .nullable()
      .describe('Counts and states; `by` tells a session, an API key and an identity provider apart'),
    by,
  })
  .meta({ id: 'AuditEntry' });

export const auditRoutes = ({ services, now }: Pick<HttpDeps, 'services' | 'now'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/audit',
    operationId: 'listAudit',
    right: 'review',
    namesNobody: true,
    summary: 'Who did what in your account, and from where, newest first',
    description: 'Entries hold no data of debtors and are kept for two years.',
    tags: ['Audit'],
    auth: 'bearer',
    query: pageQuery.extend(filter.shape),
    responses: { 200: { description: 'A page', schema: page(entry) } },
    errors: [],
    handler: async ({ caller: { clientId }, query }) => ({
      status: 200,
      body: await services.readAudit({ clientId, ...query }),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/audit/export',
    operationId: 'exportAudit',
    right: 'review',
    summary: 'Download the audit log as CSV or XLSX',
    description: `\`Accept\` chooses the format, and CSV is the answer when it names neither. The file has the newest ${MAX_EXPORTED_ENTRIES} entries of the filter. Auditors read entries, and no files.`,
    tags: ['Audit'],
    auth: 'bearer',
    clientRate: 'exports',
    query: filter,
    responses: { 200: { description: 'The file', contentType: CSV_TYPE, orTypes: [XLSX_TYPE] } },
    errors: [],
    handler: async ({ caller, query, request }) => {
      const format = request.accepts(TABLE_FORMATS);
      const portions = await services.exportAudit({
        clientId: caller.clientId,
        ...query,
        source: sourceOf(caller, request),
      });
      const name = `registro-${statisticsDay(now().getTime())}`;
      return tableAnswer(isTableFormat(format) ? format : 'text/csv', name, AUDIT_TABLE, portions);
    },
  }),
];
