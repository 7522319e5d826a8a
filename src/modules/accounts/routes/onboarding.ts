import { z } from 'zod';
import { requireRight } from '../../../kernel/member-rights.ts';
import { UNCONFIRMED_ACCOUNT_DAYS } from '../../../kernel/retention-periods.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { memberOf, originOf, sourceOf } from '../../../platform/http/origin.ts';
import { TRIAL_DAYS } from '../rules/pricing-plan.ts';
import { EMAIL_CHANGE_HOURS, EMAIL_CONFIRMATION_HOURS } from '../rules/token-lifetimes.ts';
import {
  clientSummary,
  cnpjField,
  corporateEmailField,
  namingLine,
  newPasswordField,
  passwordField,
  secretField,
  segmentField,
} from './account-fields.ts';
import { meRoutes } from './me.ts';

const signUpRoute = ({ services }: Pick<HttpDeps, 'services'>): Route =>
  defineRoute({
    method: 'POST',
    path: '/api/onboarding/signup',
    operationId: 'signUp',
    summary: `Open an account, with a trial of ${TRIAL_DAYS} days`,
    description: `Mails a link that confirms the address. Until it is opened, everything works except a launch that contacts real people; an account that is not confirmed in ${UNCONFIRMED_ACCOUNT_DAYS} days and has no campaign is deleted.`,
    tags: ['Onboarding'],
    auth: 'none',
    rate: 'signup',
    body: z.object({
      name: namingLine(200).describe('Company name'),
      email: corporateEmailField(services),
      password: newPasswordField,
      cnpj: cnpjField.optional(),
      segment: segmentField.optional(),
    }),
    responses: {
      201: {
        description: 'The account, and an access token',
        schema: z.object({ ...clientSummary.shape, token: z.string() }),
      },
    },
    errors: ['email_taken', 'signup_closed'],
    handler: async ({ body, request }) => {
      const { name, email, password, cnpj = null, segment = null } = body;
      const origin = originOf(request);
      return { status: 201, body: await services.signUp({ name, email, password, cnpj, segment, origin }) };
    },
  });

const tags = ['Onboarding'];

function confirmationRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
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
    right: 'administer',
    summary: 'Send another confirmation mail',
    description: 'At most 3 mails an hour. An address that is confirmed already gets no mail.',
    tags,
    auth: 'jwt',
    idempotent: true,
    responses: { 202: { description: 'The mail will be sent if the address is not confirmed' } },
    errors: ['rate_limited'],
    handler: async ({ caller, request }) => {
      await services.askForConfirmation({ clientId: caller.clientId, source: sourceOf(caller, request) });
      return { status: 202 };
    },
  });
  return [confirm, ask];
}

const PATH = '/api/onboarding/me/api-key';

function apiKeyRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  const create = defineRoute({
    method: 'POST',
    path: PATH,
    operationId: 'createApiKey',
    right: 'administer',
    stepUp: 'always',
    summary: 'Create an API key and revoke the previous one',
    description: 'The key never expires and is shown in this answer only. A mail tells the owner of the account.',
    tags: ['Onboarding'],
    auth: 'jwt',
    responses: { 200: { description: 'The key', schema: z.object({ apiKey: z.string() }) } },
    errors: [],
    handler: async ({ caller, request }) => ({
      status: 200,
      body: await services.createApiKey({
        ...memberOf(caller),
        sessionId: caller.sessionId,
        source: sourceOf(caller, request),
      }),
    }),
  });

  const revoke = defineRoute({
    method: 'DELETE',
    path: PATH,
    operationId: 'revokeApiKey',
    right: 'administer',
    stepUp: 'always',
    summary: 'Revoke the API key',
    tags: ['Onboarding'],
    auth: 'jwt',
    responses: { 204: { description: 'There is no key any more' } },
    errors: [],
    handler: async ({ caller, request }) => {
      await services.revokeApiKey({
        ...memberOf(caller),
        sessionId: caller.sessionId,
        source: sourceOf(caller, request),
      });
      return { status: 204 };
    },
  });
  return [create, revoke];
}

function emailRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  const ask = defineRoute({
    method: 'POST',
    path: '/api/onboarding/me/email',
    operationId: 'askForEmailChange',
    right: 'own',
    stepUp: 'always',
    summary: 'Ask for another e-mail address, of the login or of the company',
    description: `Mails a link to the present and to the new address; the change counts once both are confirmed within ${EMAIL_CHANGE_HOURS} hours. The address of the company, to which notices about keys and accounts go, is changed by an owner and changes no member’s. At most 3 times an hour.`,
    tags,
    auth: 'jwt',
    idempotent: true,
    body: z.object({
      email: corporateEmailField(services),
      of: z.enum(['member', 'company']).default('member').describe('Whose address it is: the caller’s own by default'),
    }),
    responses: { 202: { description: 'Both addresses will be asked' } },
    errors: ['email_taken', 'email_not_confirmed', 'role_insufficient', 'rate_limited'],
    handler: async ({ caller, body: { email, of }, request }) => {
      const ofCompany = of === 'company';
      if (ofCompany) requireRight(caller.role, 'administer');
      const { sessionId } = caller;
      const wish = { ...memberOf(caller), sessionId, email, ofCompany, source: sourceOf(caller, request) };
      await services.askForEmailChange(wish);
      return { status: 202 };
    },
  });

  const confirm = defineRoute({
    method: 'POST',
    path: '/api/onboarding/confirm-email-change',
    operationId: 'confirmEmailChange',
    summary: 'Confirm another e-mail address with the token of the mail',
    description: 'The address changes with the second of the two confirmations.',
    tags,
    auth: 'none',
    rate: 'public',
    body: z.object({ token: secretField }),
    responses: {
      200: {
        description: 'It is confirmed',
        schema: z.object({
          changed: z.boolean().describe('Whether the address has changed; false while the other is missing'),
        }),
      },
    },
    errors: ['email_taken'],
    handler: async ({ body: { token }, request }) => ({
      status: 200,
      body: await services.confirmEmailChange({ token, origin: originOf(request) }),
    }),
  });
  return [ask, confirm];
}

function passwordRoute({ services }: Pick<HttpDeps, 'services'>): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/onboarding/me/password',
    operationId: 'changePassword',
    right: 'own',
    summary: 'Change the password',
    description:
      'Ends every other session; the session of the caller and the API key stay valid. A wrong `current` is `password_wrong` at `/current`, and counts as a failed login, with the same lockout and rate.',
    tags: ['Onboarding'],
    auth: 'jwt',
    body: z.object({ current: passwordField, password: newPasswordField }),
    responses: { 204: { description: 'The new password is set' } },
    errors: ['password_login_unavailable', 'account_locked', 'rate_limited'],
    handler: async ({ caller, body: { current, password }, request }) => {
      const { sessionId } = caller;
      const from = { origin: originOf(request), source: sourceOf(caller, request) };
      await services.changePassword({ ...memberOf(caller), sessionId, current, password, ...from });
      return { status: 204 };
    },
  });
}

export const onboardingRoutes = (deps: Pick<HttpDeps, 'services'>): Route[] => [
  signUpRoute(deps),
  ...meRoutes(deps),
  passwordRoute(deps),
  ...emailRoutes(deps),
  ...apiKeyRoutes(deps),
  ...confirmationRoutes(deps),
];
