import { z } from 'zod';
import { emailField, newPasswordField, secretField } from '../../account-fields.ts';
import type { HttpDeps } from '../../deps.ts';
import { defineRoute, type Route } from '../../guard.ts';
import { originOf } from '../../origin.ts';

const tags = ['Authentication'];

export function passwordRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  const forgot = defineRoute({
    method: 'POST',
    path: '/api/auth/password/forgot',
    operationId: 'forgetPassword',
    summary: 'Have a link to a new password mailed',
    description:
      'The answer is the same whether the e-mail has an account or not. At most 3 mails an hour for an e-mail.',
    tags,
    auth: 'none',
    rate: 'public',
    body: z.object({ email: emailField }),
    responses: { 202: { description: 'If there is such an account, the mail is on its way' } },
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
    description:
      'The token works once, for 30 minutes. Ends every session and a lock. The API key stays, unless the address was not confirmed before: then this confirms it, and revokes the key of whoever opened the account.',
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
