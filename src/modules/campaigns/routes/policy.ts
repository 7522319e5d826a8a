import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { type AnswerReady, NOT_MODIFIED, readyAnswer } from '../../../platform/http/ready-answer.ts';
import { BOUND_CLIENTS } from '../../policy/rules/policy-pack.ts';

const rule = z
  .looseObject({
    id: z.string().describe('The id that verdicts name in `ruleIds`'),
    rule: z.string().describe('The kind that verdicts name in `rules`'),
    status: z.string().describe('`law`, `case`, `selfreg`, `platform`, `bill` (which binds nobody) or `product`'),
    source: z.string().describe('The statute, or whose choice the rule is'),
    foundAt: z.array(z.string()).describe('Where the text was read'),
    note: z.string().nullable(),
    // Versions before 2026-11-25 have none of these.
    checkedAt: z
      .string()
      .nullable()
      .default(null)
      .describe('The day on which it was last looked up whether the rule is in force'),
    statusProof: z
      .object({ seen: z.string(), url: z.string().nullable() })
      .nullable()
      .default(null)
      .describe('Where the rule was seen to be in force; null: unproved'),
    binds: z
      .enum(BOUND_CLIENTS)
      .default('all')
      .describe('Every client, or only those with `collectsFor: "others"` (`collectors`)'),
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

export function policyRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  /** The answers about the versions that are known. A version that is used for the first time changes all of them. */
  const ready = new Map<string, AnswerReady>();
  let knownVersions = 0;

  return [
    defineRoute({
      method: 'GET',
      path: '/api/policy',
      operationId: 'getPolicy',
      right: 'review',
      namesNobody: true,
      summary: 'The rules of contact, with their sources',
      description: 'Without `version`, the rules that apply now. A verdict names the version by which it was decided.',
      tags: ['Policy'],
      auth: 'bearer',
      query: z.object({ version: z.string().max(100).optional() }),
      responses: { 200: { description: 'The rules as in the files', schema: policy, isReady: true }, ...NOT_MODIFIED },
      errors: ['not_found'],
      handler: async ({ query: { version }, request }) => {
        const view = await services.readPolicy({ version });
        if (view.versions.length !== knownVersions) ready.clear();
        knownVersions = view.versions.length;
        const answer = ready.get(view.version) ?? readyAnswer(JSON.stringify(policy.parse(view)));
        ready.set(view.version, answer);
        return answer(request);
      },
    }),
  ];
}
