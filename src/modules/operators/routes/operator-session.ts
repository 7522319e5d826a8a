import { z } from 'zod';
import { LOCK_MINUTES } from '../../../kernel/login-limits.ts';
import { defineRoute, type Route, type RouteRequest } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { originOf } from '../../../platform/http/origin.ts';
import { refuseOtherOrigins } from '../../../platform/http/same-origin.ts';
import {
  codeField,
  emailField,
  newPasswordField,
  passwordField,
  secretField,
} from '../../accounts/routes/account-fields.ts';
import { IDLE_MINUTES, LONGEST_HOURS, OPERATOR_INVITATION_DAYS } from '../rules/operator-limits.ts';
import { clearedOperatorCookie, OPERATOR_PATH, operatorCookie, readOperatorCookie } from './operator-cookie.ts';

export const operatorRoute = { tags: ['Operators'], auth: 'none', rate: 'public' } as const;

type Deps = Pick<HttpDeps, 'services' | 'config'>;

/** Finds the operator of a request by its cookie alone: no bearer of a client counts here. */
export const operatorOf =
  ({ services, config }: Deps) =>
  (request: RouteRequest) => {
    refuseOtherOrigins(request, config);
    return services.requireOperator(readOperatorCookie(request, config.publicUrl), request.ip);
  };

const me = z.object({
  email: z.string(),
  idleMinutes: z.int().describe('So long after the last call the session ends'),
});

/** Login and acceptance of operators. These routes and those of `operator.ts` alone read the operators' cookie. */
export function operatorSessionRoutes(deps: Deps): Route[] {
  const { services, config } = deps;
  const operator = operatorOf(deps);
  const cleared = clearedOperatorCookie(config.publicUrl);

  const open = defineRoute({
    ...operatorRoute,
    method: 'POST',
    path: `${OPERATOR_PATH}/invitation`,
    operationId: 'openOperatorInvitation',
    summary: 'Begin to accept an invitation: a secret for the app that makes codes',
    description: `The token of \`quita operators invite\` works for ${OPERATOR_INVITATION_DAYS} days. Each call gives another secret, and the last one counts.`,
    body: z.object({ token: secretField }),
    responses: {
      200: {
        description: 'What the app needs',
        schema: z.object({ email: z.string(), secret: z.string(), uri: z.string() }),
      },
    },
    errors: ['origin_refused', 'token_invalid'],
    handler: async ({ body: { token }, request }) => {
      refuseOtherOrigins(request, config);
      return { status: 200, body: await services.openOperatorInvitation(token) };
    },
  });

  const accept = defineRoute({
    ...operatorRoute,
    method: 'POST',
    path: `${OPERATOR_PATH}/invitation/accept`,
    operationId: 'acceptOperatorInvitation',
    summary: 'Accept an invitation with a password and the first code of the app',
    description: 'The token works once. It opens no session: the login follows with another code.',
    body: z.object({ token: secretField, password: newPasswordField, code: codeField }),
    responses: { 204: { description: 'The person is an operator' } },
    errors: ['origin_refused', 'token_invalid', 'invalid_credentials'],
    handler: async ({ body, request }) => {
      refuseOtherOrigins(request, config);
      await services.acceptOperatorInvitation({ ...body, ip: request.ip });
      return { status: 204 };
    },
  });

  const logIn = defineRoute({
    ...operatorRoute,
    method: 'POST',
    path: `${OPERATOR_PATH}/session`,
    operationId: 'logInOperator',
    summary: 'Begin a session of an operator by e-mail, password and code',
    description: `The answer does not tell which of the three was wrong. Five wrong logins in a row from one address lock the e-mail for that address for ${LOCK_MINUTES} minutes. The cookie ends after ${IDLE_MINUTES} minutes without a call, and after ${LONGEST_HOURS} hours in any case.`,
    rate: 'login',
    body: z.object({ email: emailField, password: passwordField, code: codeField }),
    responses: { 200: { description: 'A session', schema: me } },
    errors: ['origin_refused', 'invalid_credentials', 'account_locked'],
    handler: async ({ body, request }) => {
      refuseOtherOrigins(request, config);
      const { cookie, email } = await services.logInOperator({ ...body, origin: originOf(request) });
      // The browser forgets the cookie of an earlier login, so nobody else may use it either.
      await services.logOutOperator(readOperatorCookie(request, config.publicUrl), request.ip);
      return {
        status: 200,
        body: { email, idleMinutes: IDLE_MINUTES },
        cookies: [operatorCookie(cookie, config.publicUrl)],
      };
    },
  });

  const read = defineRoute({
    ...operatorRoute,
    method: 'GET',
    path: `${OPERATOR_PATH}/session`,
    operationId: 'readOperatorSession',
    summary: 'Who is logged in',
    responses: { 200: { description: 'The operator', schema: me } },
    errors: ['origin_refused', 'unauthenticated'],
    handler: async ({ request }) => ({
      status: 200,
      body: { email: (await operator(request)).email, idleMinutes: IDLE_MINUTES },
    }),
  });

  const logOut = defineRoute({
    ...operatorRoute,
    method: 'DELETE',
    path: `${OPERATOR_PATH}/session`,
    operationId: 'logOutOperator',
    summary: 'End the session of the cookie',
    responses: { 204: { description: 'The cookie has no session any more' } },
    errors: ['origin_refused'],
    handler: async ({ request }) => {
      refuseOtherOrigins(request, config);
      await services.logOutOperator(readOperatorCookie(request, config.publicUrl), request.ip);
      return { status: 204, cookies: [cleared] };
    },
  });
  return [open, accept, logIn, read, logOut];
}
