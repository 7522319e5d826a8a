import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { originOf, sourceOf } from '../../../platform/http/origin.ts';
import { newPasswordField, passwordField } from './account-fields.ts';

export function passwordRoute({ services }: Pick<HttpDeps, 'services'>): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/onboarding/me/password',
    operationId: 'changePassword',
    summary: 'Change the password',
    description:
      'Ends every other session; the session of the caller and the API key stay valid. A wrong `current` is `password_wrong` at `/current`, and counts as a failed login, with the same lockout and rate.',
    tags: ['Onboarding'],
    auth: 'jwt',
    body: z.object({ current: passwordField, password: newPasswordField }),
    responses: { 204: { description: 'The new password is set' } },
    errors: ['password_login_unavailable', 'account_locked', 'rate_limited'],
    handler: async ({ caller, body: { current, password }, request }) => {
      const { clientId, sessionId } = caller;
      const from = { origin: originOf(request), source: sourceOf(caller, request) };
      await services.changePassword({ clientId, sessionId, current, password, ...from });
      return { status: 204 };
    },
  });
}
