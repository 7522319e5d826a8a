import { z } from 'zod';
import { defineRoute, type Route, type RouteRequest } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { idParams } from '../../../platform/http/fields.ts';
import { memberOf, originOf, sourceOf } from '../../../platform/http/origin.ts';
import type { Caller } from '../../../platform/shared/caller.ts';
import { MAX_PASSKEY_NAME_LENGTH, MAX_PASSKEYS, PASSKEY_MINUTES } from '../rules/passkeys.ts';
import { RECOVERY_CODES } from '../rules/second-factor.ts';
import { clientSummary, line, memberSummary, secretField, tokenPair } from './account-fields.ts';
import { deviceCookie, keepsDevice, readDevice } from './device-cookie.ts';
import { challengeField, newKeyResponse, passkeyAnswer, passkeyQuestion } from './passkey-fields.ts';

const PATH = '/api/onboarding/me/passkeys';
/** No answer names a debtor, and an auditor has to read its own keys. */
const own = { right: 'own', auth: 'jwt', namesNobody: true } as const;

const passkey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    synced: z.boolean().describe('Whether the key is kept on several devices'),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Passkey' });

const callOf = (caller: Caller, request: RouteRequest) => ({
  ...memberOf(caller),
  sessionId: caller.sessionId,
  source: sourceOf(caller, request),
});

function ownPasskeys({ services }: Pick<HttpDeps, 'services'>): Route[] {
  const ask = defineRoute({
    ...own,
    method: 'POST',
    path: `${PATH}/options`,
    operationId: 'askForNewPasskey',
    stepUp: 'always',
    withoutFactor: true,
    summary: 'What a browser needs to make a passkey',
    description: `The answer of the browser goes to \`POST ${PATH}/register\` within ${PASSKEY_MINUTES} minutes.`,
    tags: ['Onboarding'],
    responses: { 200: { description: 'The options', schema: passkeyQuestion } },
    errors: [],
    handler: async ({ caller, request }) => ({
      status: 200,
      body: await services.askForNewPasskey(callOf(caller, request)),
    }),
  });

  const register = defineRoute({
    ...own,
    method: 'POST',
    path: `${PATH}/register`,
    operationId: 'registerPasskey',
    stepUp: 'always',
    withoutFactor: true,
    summary: 'Keep a passkey that the browser has made',
    description: `A member has at most ${MAX_PASSKEYS}: then \`too_many_passkeys\`. A passkey logs in by itself, and is a second factor. When it is the first second factor of the member, the answer has \`recoveryCodes\`. An answer that does not fit, or a key that somebody has already, is \`invalid_credentials\`; an ended challenge is \`token_invalid\`.`,
    tags: ['Onboarding'],
    body: z.object({
      challenge: challengeField,
      name: line(MAX_PASSKEY_NAME_LENGTH).describe('By which the member knows it'),
      response: newKeyResponse,
    }),
    responses: {
      201: {
        description: 'The passkey, and the recovery codes, which are shown in this answer only',
        schema: passkey.extend({ recoveryCodes: z.array(z.string()).length(RECOVERY_CODES).optional() }),
      },
    },
    errors: ['invalid_credentials', 'token_invalid'],
    handler: async ({ caller, body, request }) => ({
      status: 201,
      body: await services.registerPasskey({ ...callOf(caller, request), ...body }),
    }),
  });

  const list = defineRoute({
    ...own,
    method: 'GET',
    path: PATH,
    operationId: 'listPasskeys',
    withoutFactor: true,
    summary: 'Your passkeys, the oldest first',
    tags: ['Onboarding'],
    responses: {
      200: {
        description: `All of them: at most ${MAX_PASSKEYS}`,
        schema: z.object({ items: z.array(passkey), nextCursor: z.null() }),
      },
    },
    errors: [],
    handler: async ({ caller, request }) => ({
      status: 200,
      body: await services.readPasskeys(callOf(caller, request)),
    }),
  });

  const remove = defineRoute({
    ...own,
    method: 'DELETE',
    path: `${PATH}/:id`,
    operationId: 'removePasskey',
    stepUp: 'always',
    summary: 'Remove a passkey',
    description: 'The recovery codes go with the last second factor. Sessions stay open.',
    tags: ['Onboarding'],
    params: idParams,
    responses: { 204: { description: 'It logs in no more' } },
    errors: ['not_found'],
    handler: async ({ caller, params: { id }, request }) => {
      await services.removePasskey({ ...callOf(caller, request), id });
      return { status: 204 };
    },
  });
  return [ask, register, list, remove];
}

export function passkeyRoutes({ services, config }: Pick<HttpDeps, 'services' | 'config'>): Route[] {
  const ask = defineRoute({
    method: 'POST',
    path: '/api/auth/passkey/options',
    operationId: 'askForPasskey',
    summary: 'What a browser needs to log in by a passkey',
    description:
      'Tells nothing about accounts, and shares the rate of the login. With `login`, the `challenge` of a 401 `second_factor_required`, it asks for a passkey of that member as the second factor; 404 `not_found` when the member has none.',
    tags: ['Authentication'],
    auth: 'none',
    rate: 'login',
    body: z.object({ login: secretField.optional() }).optional(),
    responses: { 200: { description: 'The options', schema: passkeyQuestion } },
    errors: ['token_invalid', 'not_found'],
    handler: async ({ body, request }) => ({
      status: 200,
      body: await services.askForPasskey({ login: body?.login, origin: originOf(request) }),
    }),
  });

  const verify = defineRoute({
    method: 'POST',
    path: '/api/auth/passkey/verify',
    operationId: 'enterByPasskey',
    summary: 'Begin a session by a passkey, or finish a login with it',
    description:
      'Answers what the login answers; the console sends the same to `POST /api/session`. A challenge works once, whether the answer was right or not. An answer that is not right, or a key that nobody has, is `invalid_credentials`, an ended challenge `token_invalid`. A lock of the e-mail stops passwords alone.',
    tags: ['Authentication'],
    auth: 'none',
    rate: 'public',
    body: passkeyAnswer,
    responses: {
      200: { description: 'A session', schema: tokenPair.extend({ client: clientSummary, member: memberSummary }) },
    },
    errors: ['invalid_credentials', 'token_invalid', 'account_inactive', 'rate_limited'],
    handler: async ({ body, request }) => {
      const from = { origin: originOf(request), device: readDevice(request), keepsDevice: keepsDevice(request) };
      const { device, ...session } = await services.enterByPasskey({ ...body, ...from });
      const cookies = device === null ? [] : [deviceCookie(device, '/api/auth/login', config.publicUrl)];
      return { status: 200, body: session, cookies };
    },
  });

  const askAgain = defineRoute({
    ...own,
    method: 'POST',
    path: '/api/auth/step-up/options',
    operationId: 'askForStepUp',
    summary: 'What a browser needs to step up by a passkey',
    description: 'Its answer goes to `POST /api/auth/step-up` of the same session. 404 `not_found` without a passkey.',
    tags: ['Authentication'],
    responses: { 200: { description: 'The options', schema: passkeyQuestion } },
    errors: ['not_found'],
    handler: async ({ caller, request }) => ({
      status: 200,
      body: await services.askForStepUp(callOf(caller, request)),
    }),
  });
  return [...ownPasskeys({ services }), ask, verify, askAgain];
}
