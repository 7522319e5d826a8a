import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { originOf, sourceOf } from '../../../platform/http/origin.ts';
import { EMAIL_CONFIRMATION_HOURS } from '../rules/token-lifetimes.ts';
import { secretField } from './account-fields.ts';

const tags = ['Onboarding'];

export function confirmationRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  const confirm = defineRoute({
    method: 'POST',
    path: '/api/onboarding/confirm-email',
    operationId: 'confirmEmail',
    summary: 'Confirm the e-mail address with the token of the mail',
    description: `The token works once, for ${EMAIL_CONFIRMATION_HOURS} hours.`,
    tags,
    auth: 'none',
    rate: 'public',
    body: z.object({ token: secretField }),
    responses: { 204: { description: 'The address is confirmed' } },
    errors: [],
    handler: async ({ body: { token }, request }) => {
      await services.confirmEmail({ token, origin: originOf(request) });
      return { status: 204 };
    },
  });

  const ask = defineRoute({
    method: 'POST',
    path: '/api/onboarding/me/confirmation',
    operationId: 'askForConfirmation',
    summary: 'Send another confirmation mail',
    description: 'At most 3 mails an hour. An address that is confirmed already gets no mail.',
    tags,
    auth: 'jwt',
    responses: { 202: { description: 'The mail will be sent if the address is not confirmed' } },
    errors: ['rate_limited'],
    handler: async ({ caller, request }) => {
      await services.askForConfirmation({ clientId: caller.clientId, source: sourceOf(caller, request) });
      return { status: 202 };
    },
  });
  return [confirm, ask];
}
