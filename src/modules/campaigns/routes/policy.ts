import { z } from 'zod';
import { daysBetween } from '../../../kernel/calendar.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { canRead, dateField } from '../../../platform/http/fields.ts';
import { type AnswerReady, NOT_MODIFIED, readyAnswer } from '../../../platform/http/ready-answer.ts';
import { BOUND_CLIENTS } from '../../policy/rules/policy-pack.ts';
import { policyPackSchema } from '../../policy/use-cases/pack-schema.ts';

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

const MAX_REPLAYED_DAYS = 366;

const replayBody = z
  .object({
    // What `GET /api/policy` answers beside the pack itself is ignored, as unknown members of any body are.
    pack: policyPackSchema
      .strip()
      .describe('A whole pack, in the form of `GET /api/policy`: id, version, jurisdiction, rules'),
    from: dateField.describe('The first day, in Brasília'),
    to: dateField.describe('The last day. The period is a year at most'),
    sandbox: z.boolean().default(false).describe('Replays the contacts of sandbox campaigns'),
  })
  .refine(({ from, to }) => from <= to && daysBetween(from, to) < MAX_REPLAYED_DAYS, {
    ...canRead('from', 'to'),
    path: ['to'],
    message: `is a day from \`from\` to ${MAX_REPLAYED_DAYS} days later`,
  });

const count = z.int().min(0);
const replayView = z
  .object({
    pack: z.object({ id: z.string(), version: z.string() }),
    contacts: count.describe('Your contacts in the period'),
    forbidden: count.describe('Those that the pack would have forbidden'),
    unknownPlace: count.describe('Those whose phone was erased, so that they are not judged'),
    byRule: z
      .array(z.object({ ruleId: z.string(), contacts: count }))
      .readonly()
      .describe('The forbidden ones by rule. One that several rules forbid counts for each of them'),
  })
  .meta({ id: 'PolicyReplay' });

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
    defineRoute({
      method: 'POST',
      path: '/api/policy/replay',
      operationId: 'replayPolicy',
      right: 'review',
      namesNobody: true,
      summary: 'How many of your contacts another pack would have forbidden',
      description:
        'Asks the pack about each of your contacts of the period, in their order; nothing is changed. A contact that the pack forbids counts for no cap afterwards. Judged are hours, holidays, caps, the due date and prescription, by which the ledger can tell; contacts of other companies do not count. One replay of an account runs at a time; when others wait, the answer is 503 with `Retry-After`.',
      tags: ['Policy'],
      auth: 'jwt',
      clientRate: 'rehearsals',
      body: replayBody,
      responses: { 200: { description: 'The counts', schema: replayView } },
      errors: [],
      handler: async ({ caller: { clientId }, body: { pack, ...period } }) => {
        const { id, version } = pack;
        const { contacts, forbidden, unknownPlace, byRule } = await services.replayPolicy(clientId, pack, period);
        return { status: 200, body: { pack: { id, version }, contacts, forbidden, unknownPlace, byRule } };
      },
    }),
  ];
}
