import { z } from 'zod';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { memberOf, originOf, sourceOf } from '../../../platform/http/origin.ts';
import { MAX_PASSKEYS } from '../rules/passkeys.ts';
import { CHALLENGE_MINUTES, CHALLENGE_TRIES, RECOVERY_CODES, STEP_UP_MINUTES } from '../rules/second-factor.ts';
import { clientSummary, codeField, memberSummary, passwordField, secretField, tokenPair } from './account-fields.ts';
import { deviceCookie, keepsDevice, readDevice } from './device-cookie.ts';
import { passkeyAnswer } from './passkey-fields.ts';

const PATH = '/api/onboarding/me/totp';
/** No answer names a debtor, and an auditor has to read its own secret. */
const own = { right: 'own', auth: 'jwt', namesNobody: true } as const;

function totpRoutes({ services }: Pick<HttpDeps, 'services'>): Route[] {
  const setUp = defineRoute({
    ...own,
    method: 'POST',
    path: PATH,
    operationId: 'setUpTotp',
    stepUp: 'always',
    withoutFactor: true,
    summary: 'Begin to set up an app that makes codes',
    description:
      'Nothing is asked of a login until `POST /api/onboarding/me/totp/confirm` proves that the app has the secret. An app that was set up before counts until then.',
    tags: ['Onboarding'],
    responses: {
      200: {
        description: 'What the app needs, shown in this answer only',
        schema: z.object({
          secret: z.string().describe('To type in: base32, for codes of 6 digits every 30 seconds by SHA-1'),
          uri: z.string().describe('To show as a QR code'),
        }),
      },
    },
    errors: [],
    handler: async ({ caller, request }) => {
      const { sessionId } = caller;
      const call = { ...memberOf(caller), sessionId, source: sourceOf(caller, request) };
      return { status: 200, body: await services.setUpTotp(call) };
    },
  });

  const confirm = defineRoute({
    ...own,
    method: 'POST',
    path: `${PATH}/confirm`,
    operationId: 'confirmTotp',
    stepUp: 'always',
    withoutFactor: true,
    summary: 'Finish setting up the app with its first code',
    description:
      'From now on every login of the member asks for a code. Ends every other session of the member. Each recovery code takes the place of a code once.',
    tags: ['Onboarding'],
    body: z.object({ code: codeField }),
    responses: {
      200: {
        description: 'The recovery codes, shown in this answer only; those of before work no more',
        schema: z.object({ recoveryCodes: z.array(z.string()).length(RECOVERY_CODES) }),
      },
    },
    errors: ['invalid_credentials', 'rate_limited'],
    handler: async ({ caller, body: { code }, request }) => {
      const { sessionId } = caller;
      const call = { ...memberOf(caller), sessionId, source: sourceOf(caller, request) };
      return { status: 200, body: await services.confirmTotp({ ...call, code }) };
    },
  });

  const remove = defineRoute({
    ...own,
    method: 'DELETE',
    path: PATH,
    operationId: 'removeTotp',
    summary: 'Remove the app that makes codes',
    description:
      'A wrong `password` is `password_wrong` at `/password`, and counts as a failed login. A member without a password, who signs in at an identity provider, sends the code alone.',
    tags: ['Onboarding'],
    body: z.object({ password: passwordField.optional(), code: codeField }),
    responses: {
      204: {
        description: 'Without a passkey, a login asks for the password alone, and the recovery codes work no more',
      },
    },
    errors: ['invalid_credentials', 'not_found', 'account_locked', 'rate_limited'],
    handler: async ({ caller, body: { password, code }, request }) => {
      const { sessionId } = caller;
      const call = { ...memberOf(caller), sessionId, source: sourceOf(caller, request) };
      await services.removeTotp({ ...call, password, code, origin: originOf(request) });
      return { status: 204 };
    },
  });
  const read = defineRoute({
    ...own,
    method: 'GET',
    path: '/api/onboarding/me/factors',
    operationId: 'readFactors',
    withoutFactor: true,
    summary: 'By what the caller proves who it is, besides the password',
    tags: ['Onboarding'],
    responses: {
      200: {
        description: 'The factors of the caller, and of nobody else',
        schema: z.object({
          totp: z.boolean().describe('An app makes codes; false while its first code is awaited'),
          passkeys: z.number().int().min(0).max(MAX_PASSKEYS),
          recoveryCodesLeft: z.number().int().min(0).max(RECOVERY_CODES),
        }),
      },
    },
    errors: [],
    handler: async ({ caller }) => ({ status: 200, body: await services.readFactors(memberOf(caller)) }),
  });
  return [read, setUp, confirm, remove];
}

export function secondFactorRoutes({ services, config }: Pick<HttpDeps, 'services' | 'config'>): Route[] {
  const logIn = defineRoute({
    method: 'POST',
    path: '/api/auth/second-factor',
    operationId: 'answerChallenge',
    summary: 'Finish a login with the code of the second factor',
    description: `Takes the \`challenge\` of a 401 \`second_factor_required\` of \`POST /api/auth/login\`, for ${CHALLENGE_MINUTES} minutes and ${CHALLENGE_TRIES} tries, and a code of the app or a recovery code. A code works once. A wrong or used code is \`invalid_credentials\`, an ended challenge \`token_invalid\`.`,
    tags: ['Authentication'],
    auth: 'none',
    rate: 'public',
    body: z.object({ challenge: secretField, code: codeField }),
    responses: {
      200: { description: 'A session', schema: tokenPair.extend({ client: clientSummary, member: memberSummary }) },
    },
    errors: ['invalid_credentials', 'token_invalid', 'account_inactive', 'rate_limited'],
    handler: async ({ body, request }) => {
      const from = { origin: originOf(request), device: readDevice(request), keepsDevice: keepsDevice(request) };
      const { device, ...session } = await services.answerChallenge({ ...body, ...from });
      const cookies = device === null ? [] : [deviceCookie(device, '/api/auth/login', config.publicUrl)];
      return { status: 200, body: session, cookies };
    },
  });

  const stepUp = defineRoute({
    ...own,
    method: 'POST',
    path: '/api/auth/step-up',
    operationId: 'stepUp',
    summary: 'Prove the second factor again, for what asks for it',
    description: `Takes a code of the app, a recovery code, or a passkey by which \`POST /api/auth/step-up/options\` was answered. Good for ${STEP_UP_MINUTES} minutes of this session. Operations that ask for it name 401 \`step_up_required\`; a member without a second factor and an API key are never asked.`,
    tags: ['Authentication'],
    body: z.union([z.object({ code: codeField }), passkeyAnswer]),
    responses: { 204: { description: 'The session may do what asks for it' } },
    errors: ['invalid_credentials', 'token_invalid', 'rate_limited'],
    handler: async ({ caller, body, request }) => {
      const call = { ...memberOf(caller), sessionId: caller.sessionId, source: sourceOf(caller, request) };
      await ('code' in body ? services.stepUp({ ...call, ...body }) : services.stepUpByPasskey({ ...call, ...body }));
      return { status: 204 };
    },
  });
  return [...totpRoutes({ services }), logIn, stepUp];
}
