import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { page, pageQuery } from '../../../platform/http/fields.ts';
import { by } from './author.ts';

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

export const auditRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
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
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: page(entry) } },
    errors: [],
    handler: async ({ caller: { clientId }, query }) => ({
      status: 200,
      body: await services.readAudit({ clientId, ...query }),
    }),
  }),
];
