import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { originOf } from '../../../platform/http/origin.ts';
import { PASSWORD_RESET_MINUTES } from '../rules/token-lifetimes.ts';
import { emailField, newPasswordField, secretField } from './account-fields.ts';
import { sessionRoutes } from './session.ts';

const tags = ['Authentication'];

function passwordRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  const forgot = defineRoute({
    method: 'POST',
    path: '/api/auth/password/forgot',
    operationId: 'forgetPassword',
    summary: 'Send a mail with a link to set a new password',
    description:
      'The answer is the same whether the e-mail has an account or not. At most 3 mails an hour are sent to an address.',
    tags,
    auth: 'none',
    rate: 'public',
    body: z.object({ email: emailField }),
    responses: { 202: { description: 'If there is such an account, the mail will be sent' } },
    errors: [],
    handler: async ({ body: { email }, request }) => {
      await services.forgetPassword({ email, origin: originOf(request) });
      return { status: 202 };
    },
  });

  const reset = defineRoute({
    method: 'POST',
    path: '/api/auth/password/reset',
    operationId: 'resetPassword',
    summary: 'Set a new password with the token of the mail',
    description: `The token works once, for ${PASSWORD_RESET_MINUTES} minutes. Ends every session and a lock. The API key stays, unless the address was not confirmed before: then this call confirms it and revokes the key, which the person who opened the account may hold.`,
    tags,
    auth: 'none',
    rate: 'public',
    body: z.object({ token: secretField, password: newPasswordField }),
    responses: { 204: { description: 'The new password is set' } },
    errors: [],
    handler: async ({ body: { token, password }, request }) => {
      await services.resetPassword({ token, password, origin: originOf(request) });
      return { status: 204 };
    },
  });
  return [forgot, reset];
}

export const authRoutes = (deps: Pick<HttpDeps, 'services' | 'config'>): Route[] => [
  ...sessionRoutes(deps),
  ...passwordRoutes(deps),
];
