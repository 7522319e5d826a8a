import { z } from 'zod';
import { defineRoute, type Route } from '../../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../../platform/http/deps.ts';
import { page, pageQuery } from '../../../../platform/http/fields.ts';

const mail = z.object({
  id: z.uuid(),
  to: z.string(),
  purpose: z.string(),
  text: z.string().nullable().describe('Null for a link to a new password, which the terminal of `npm start` shows'),
  at: z.iso.datetime(),
});

export const sandboxMailRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/sandbox/mails',
    operationId: 'listSandboxMails',
    right: 'administer',
    summary: 'The mails to the account that were stored because no mail server is set, the newest first',
    tags: ['Sandbox'],
    auth: 'jwt',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: page(mail) } },
    errors: [],
    handler: async ({ caller: { clientId }, query }) => ({
      status: 200,
      body: await services.readSandboxMails({ clientId, ...query }),
    }),
  }),
];
