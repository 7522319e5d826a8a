import { z } from 'zod';
import { defineRoute, type Route } from '../../define-route.ts';
import type { HttpDeps } from '../../deps.ts';

const rule = z
  .looseObject({
    id: z.string().describe('The id that verdicts name in `ruleIds`'),
    rule: z.string().describe('The kind that verdicts name in `rules`'),
    status: z.string().describe('`law`, `case`, `selfreg`, `platform`, `bill` or `product`'),
    source: z.string().describe('The statute, or whose choice the rule is'),
    foundAt: z.array(z.string()).describe('Where the text was read'),
    note: z.string().nullable(),
  })
  .describe('The other members depend on the kind, as in `policies/README.md`');

const policy = z
  .object({
    id: z.string(),
    version: z.string(),
    jurisdiction: z.string(),
    rules: z.array(rule),
    holidays: z.looseObject({}).describe('The statute behind each holiday of the nation and of each state'),
    sequence: z.looseObject({}).describe('The contacts of a collection, and the days between them'),
    versions: z
      .array(z.object({ id: z.string(), version: z.string(), usedSince: z.iso.datetime() }))
      .readonly()
      .describe('Every version that this deployment has used, the newest first'),
  })
  .meta({ id: 'Policy' });

export const policyRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/policy',
    operationId: 'getPolicy',
    summary: 'The rules of contact, with their sources',
    description: 'Without `version`, the rules that apply now. A verdict names the version by which it was decided.',
    tags: ['Policy'],
    auth: 'bearer',
    query: z.object({ version: z.string().max(100).optional() }),
    responses: { 200: { description: 'The rules as in the files', schema: policy } },
    errors: ['not_found'],
    handler: async ({ query: { version } }) => ({
      status: 200,
      body: policy.parse(await services.readPolicy({ version })),
    }),
  }),
];
