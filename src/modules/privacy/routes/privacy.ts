import { z } from 'zod';
import { parseCnpj } from '../../../kernel/cnpj.ts';
import { parseCpf } from '../../../kernel/cpf.ts';
import { DEBT_STATUSES } from '../../../kernel/debt-status.ts';
import { MAX_TIMELINE_DAYS, SHORTEST_TIMELINE_DAYS, TIMELINE_DAYS } from '../../../kernel/retention-periods.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { booleanQuery } from '../../../platform/http/fields.ts';
import { memberOf, sourceOf } from '../../../platform/http/origin.ts';
import type { Retention } from '../../accounts/use-cases/retention.ts';

const RETENTION = '/api/privacy/retention';
const tags = ['Privacy'];

const retention = z
  .object({
    days: z.int().describe('So many days after their last change, conversations of ended debts are deleted'),
    own: z.boolean().describe('Whether the company has chosen the time'),
    defaultDays: z.int(),
    minDays: z.int(),
    maxDays: z.int(),
  })
  .meta({ id: 'Retention' });

const withBounds = ({ days, own }: Retention) => ({
  days,
  own,
  defaultDays: TIMELINE_DAYS,
  minDays: SHORTEST_TIMELINE_DAYS,
  maxDays: MAX_TIMELINE_DAYS,
});

const retentionRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'GET',
    path: RETENTION,
    operationId: 'readRetention',
    right: 'read',
    namesNobody: true,
    summary: 'How long conversations of ended debts are kept',
    tags,
    auth: 'bearer',
    responses: { 200: { description: 'The time and its bounds', schema: retention } },
    errors: [],
    handler: async ({ caller: { clientId } }) => ({
      status: 200,
      body: withBounds(await services.readRetention(clientId)),
    }),
  }),
  defineRoute({
    method: 'PUT',
    path: RETENTION,
    operationId: 'changeRetention',
    right: 'administer',
    stepUp: 'always',
    namesNobody: true,
    summary: 'Change how long conversations of ended debts are kept',
    description:
      'Messages, notes and the timeline of a debt are deleted so long after its last change, once it has ended. Receipts, payments, amounts, agreements and wishes not to be contacted stay. It takes effect within the hour, and what is deleted does not come back.',
    tags,
    auth: 'jwt',
    body: z.object({
      days: z
        .int()
        .min(SHORTEST_TIMELINE_DAYS)
        .max(MAX_TIMELINE_DAYS)
        .nullable()
        .describe('Null for the time of the deployment'),
    }),
    responses: { 200: { description: 'The time and its bounds', schema: retention } },
    errors: [],
    handler: async ({ caller, body: { days }, request }) => ({
      status: 200,
      body: withBounds(
        await services.changeRetention({ ...memberOf(caller), days, source: sourceOf(caller, request) }),
      ),
    }),
  }),
];

const taxIdField = (parse: (given: string) => string | null, code: string, message: string) =>
  z
    .string()
    .max(30)
    .transform((given, context) => {
      const taxId = parse(given);
      if (taxId !== null) return taxId;
      context.addIssue({ code: 'custom', params: { code }, message });
      return z.NEVER;
    });

const personBody = z
  .object({
    cpf: taxIdField(parseCpf, 'cpf_invalid', 'A CPF with valid check digits').optional(),
    cnpj: taxIdField(parseCnpj, 'cnpj_invalid', 'A CNPJ with valid check digits').optional(),
  })
  .superRefine(({ cpf, cnpj }, context) => {
    if ((cpf === undefined) !== (cnpj === undefined)) return;
    context.addIssue({ code: 'custom', path: ['cpf'], params: { code: 'required' }, message: 'Either CPF or CNPJ' });
  });

const erasure = z
  .object({
    erasable: z.int().describe('Debts whose personal data is erased'),
    kept: z.int().describe('Debts that keep it: they are open, or there is still work to do about them'),
    debts: z
      .array(
        z.object({
          id: z.uuid(),
          invoiceId: z.string().nullable(),
          status: z.enum(
            DEBT_STATUSES as readonly [(typeof DEBT_STATUSES)[number], ...(typeof DEBT_STATUSES)[number][]],
          ),
          because: z
            .enum(['open', 'busy'])
            .nullable()
            .describe(
              'Why it is kept: `open`: it has not ended; `busy`: a message waits to be understood or the receipt to be issued. Null when it is erased',
            ),
        }),
      )
      .describe('At most 200; those that are erased come first'),
    receipts: z
      .array(z.object({ protocol: z.string(), debtId: z.uuid(), keptUntil: z.iso.datetime() }))
      .describe('The law wants them whole until then. Afterwards they are shortened by themselves'),
  })
  .meta({ id: 'Erasure' });

const erasureRoutes = ({ services }: Pick<HttpDeps, 'services'>): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/privacy/erasures',
    operationId: 'askForErasure',
    right: 'administer',
    stepUp: 'always',
    summary: 'Erase the personal data of a debtor',
    description:
      'Takes a CPF or a CNPJ (LGPD, art. 18 VI). `checkOnly=true` answers 200 with what would be erased and what is kept, and changes nothing. Otherwise the erasure is booked (202) and done by the worker within moments; it cannot be undone. 409 `debt_state` when the person has debts and none can be erased yet. A person whom no debt names is answered with empty lists, so the same call may be repeated. It ends in the debts of your company alone.',
    tags,
    auth: 'jwt',
    query: z.object({ checkOnly: booleanQuery.default(false) }),
    body: personBody,
    responses: {
      200: { description: 'What would be done', schema: erasure },
      202: { description: 'What is being done', schema: erasure },
    },
    errors: ['debt_state'],
    handler: async ({ caller, query: { checkOnly }, body: { cpf, cnpj }, request }) => {
      const source = sourceOf(caller, request);
      const view = await services.askForErasure({
        ...memberOf(caller),
        taxId: cpf ?? cnpj ?? '',
        checkOnly,
        source,
      });
      return { status: checkOnly ? 200 : 202, body: view };
    },
  }),
];

export const privacyRoutes = (deps: Pick<HttpDeps, 'services'>): Route[] => [
  ...retentionRoutes(deps),
  ...erasureRoutes(deps),
];
