import { z } from 'zod';
import { LAUNCH_NEEDS } from '../../../kernel/launch-needs.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams } from '../../../platform/http/fields.ts';
import { account, collectsForField } from '../../accounts/routes/account-fields.ts';
import type { StatusChange } from '../../accounts/use-cases/set-client-status.ts';
import {
  BACKLOG_KINDS,
  CHECKS,
  CLIENT_FILTERS,
  NEEDED_CHECKS,
  OPERATOR_ACTIONS,
  PROBLEM_KINDS,
} from '../rules/operator-limits.ts';
import { OPERATOR_PATH } from './operator-cookie.ts';
import { operatorOf, operatorRoute, operatorSessionRoutes } from './operator-session.ts';

const moment = z.iso.datetime();
const { status } = account.shape;
const missing = z.array(z.enum(LAUNCH_NEEDS));
const client = {
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  cnpj: z.string().nullable(),
  status,
  verified: z.boolean(),
  missing,
};
const problem = {
  kind: z.enum(PROBLEM_KINDS).describe('What somebody has to look at'),
  about: z.string().nullable().describe('The channel or the payment provider; null for a webhook'),
  since: moment.describe('Since when; for a certificate when it ends'),
};

const backlog = z.array(z.object({ kind: z.enum(BACKLOG_KINDS), waiting: z.int(), oldestSeconds: z.number() }));

const CLIENTS = `${OPERATOR_PATH}/clients`;
type Deps = Pick<HttpDeps, 'services' | 'config'>;

function readingRoutes(deps: Deps): Route[] {
  const { services } = deps;
  const operator = operatorOf(deps);
  const list = defineRoute({
    ...operatorRoute,
    method: 'GET',
    path: CLIENTS,
    operationId: 'listClientsAsOperator',
    summary: 'The clients of the deployment, the newest first',
    description:
      'At most 100: `search` finds a name or an e-mail by a part, a CNPJ or an id as a whole. `missing` names what a real launch needs of the company itself; what it has connected is in the answer about one client.',
    query: z.object({
      search: z.string().max(100).default(''),
      filter: z
        .enum(CLIENT_FILTERS)
        .default('all')
        .describe('`unverified`: neither verified nor cancelled; the others are statuses'),
    }),
    responses: {
      200: {
        description: 'Clients, and how many were found',
        schema: z.object({
          items: z.array(
            z.object({ ...client, createdAt: moment, problems: z.int().describe('What fails or ends at the client') }),
          ),
          total: z.int(),
        }),
      },
    },
    errors: ['origin_refused', 'unauthenticated'],
    handler: async ({ query, request }) => {
      await operator(request);
      return { status: 200, body: await services.findClients(query) };
    },
  });

  const read = defineRoute({
    ...operatorRoute,
    method: 'GET',
    path: `${CLIENTS}/:id`,
    operationId: 'readClientAsOperator',
    summary: 'One client: what there is to check, what is missing, what fails, and what operators have done',
    description: 'Nothing of its debtors, messages or members.',
    params: idParams,
    responses: {
      200: {
        description: 'The client',
        schema: z.object({
          ...client,
          address: account.shape.address,
          collectsFor: collectsForField,
          plan: z.string(),
          trialEndsAt: moment.nullable(),
          senders: z.array(z.string()).describe('By which its campaigns call the creditor in place of the name'),
          version: z.string().describe('Of name, CNPJ, address, senders and `collectsFor`: `seen` of the verification'),
          verification: z
            .object({
              at: moment,
              operator: z.string().nullable().describe('The e-mail of the operator; null where it was no operator'),
              checked: z.array(z.enum(CHECKS)).describe('Empty where it was no operator'),
            })
            .nullable()
            .describe('Who has verified the client as it is now; null while it is not verified'),
          backlog: backlog.describe('What waits for this client'),
          problems: z.array(z.object(problem)),
          acts: z.array(
            z.object({
              at: moment,
              action: z.enum(OPERATOR_ACTIONS),
              operator: z.string().nullable().describe('The e-mail of the operator; null for a command'),
              details: z.record(z.string(), z.unknown()).nullable(),
            }),
          ),
        }),
      },
    },
    errors: ['origin_refused', 'unauthenticated', 'not_found'],
    handler: async ({ params, request }) => ({
      status: 200,
      body: await services.readClientAsOperator(await operator(request), params.id),
    }),
  });

  const health = defineRoute({
    ...operatorRoute,
    method: 'GET',
    path: `${OPERATOR_PATH}/health`,
    operationId: 'readOperatorHealth',
    summary: 'What fails, ends or waits over all clients',
    responses: {
      200: {
        description: 'Ids, counts, states and moments',
        schema: z.object({
          backlog,
          parked: z
            .array(z.object({ id: z.uuid(), workflow: z.string(), workflowId: z.string(), createdAt: moment }))
            .describe('Rows of the outbox that no retry delivers'),
          problems: z.array(z.object({ ...problem, clientId: z.uuid(), clientName: z.string() })),
          workflows: z
            .object({
              count: z.int(),
              items: z.array(z.object({ workflowId: z.string(), url: z.string().nullable() })),
            })
            .nullable()
            .describe('Workflows that only an operator can repair; null while Temporal does not answer'),
          disk: z
            .object({ freeBytes: z.number(), totalBytes: z.number() })
            .nullable()
            .describe('Of the data folder of the process that answers'),
        }),
      },
    },
    errors: ['origin_refused', 'unauthenticated'],
    handler: async ({ request }) => {
      await operator(request);
      return { status: 200, body: await services.readOperatorHealth() };
    },
  });
  return [list, read, health];
}

const CHANGES: readonly { readonly change: StatusChange; readonly summary: string }[] = [
  { change: 'pause', summary: 'Pause a client: no login, no calls, nobody is contacted' },
  { change: 'resume', summary: 'End the pause of a client' },
  { change: 'cancel', summary: 'Cancel a client, for good' },
];

function actingRoutes(deps: Deps): Route[] {
  const { services } = deps;
  const operator = operatorOf(deps);
  const verify = defineRoute({
    ...operatorRoute,
    method: 'POST',
    path: `${CLIENTS}/:id/verify`,
    operationId: 'verifyClientAsOperator',
    summary: 'Record that the company was checked',
    description:
      'It may contact real people from now on, until its name, CNPJ, address, a sender or `collectsFor` changes. Name and CNPJ are always checked. With `seen` it is 409 `client_state` when one of them has changed since the client was read; read it again then.',
    params: idParams,
    body: z.object({
      checked: z
        .array(z.enum(CHECKS))
        .max(CHECKS.length)
        .refine((checked) => NEEDED_CHECKS.every((needed) => checked.includes(needed)), {
          params: { code: 'invalid_value' },
          message: `${NEEDED_CHECKS.join(' and ')} have to be checked`,
        })
        .transform((checked) => CHECKS.filter((check) => checked.includes(check))),
      seen: z
        .string()
        .max(100)
        .optional()
        .describe('The `version` that was checked. Without it whatever stands there now is verified'),
    }),
    responses: {
      200: { description: 'The company is verified', schema: z.object({ verified: z.literal(true) }) },
    },
    errors: [
      'origin_refused',
      'unauthenticated',
      'not_found',
      'already_verified',
      'creditor_incomplete',
      'client_state',
    ],
    handler: async ({ params, body: { checked, seen }, request }) => {
      await services.verifyClientAsOperator({ operator: await operator(request), clientId: params.id, checked, seen });
      return { status: 200, body: { verified: true } };
    },
  });

  const changes = CHANGES.map(({ change, summary }) =>
    defineRoute({
      ...operatorRoute,
      method: 'POST',
      path: `${CLIENTS}/:id/${change}`,
      operationId: `${change}ClientAsOperator`,
      summary,
      params: idParams,
      responses: { 200: { description: 'The status now', schema: z.object({ status }) } },
      errors: ['origin_refused', 'unauthenticated', 'not_found', 'client_state'],
      handler: async ({ params, request }) => ({
        status: 200,
        body: await services.changeClientAsOperator({
          operator: await operator(request),
          clientId: params.id,
          change,
        }),
      }),
    }),
  );
  return [verify, ...changes];
}

/** What the operators' console calls. No credential of a client opens any of it. */
export const operatorRoutes = (deps: Deps): Route[] => [
  ...operatorSessionRoutes(deps),
  ...readingRoutes(deps),
  ...actingRoutes(deps),
];
