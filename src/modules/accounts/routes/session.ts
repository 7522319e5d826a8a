import { z } from 'zod';
import { KNOWN_SOURCE_DAYS, LOCK_MINUTES } from '../../../kernel/login-limits.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { memberOf, originOf, sourceOf } from '../../../platform/http/origin.ts';
import { clientSummary, emailField, memberSummary, passwordField, secretField, tokenPair } from './account-fields.ts';
import { deviceCookie, keepsDevice, readDevice } from './device-cookie.ts';

const tags = ['Authentication'];

export function sessionRoutes({ services, config }: Pick<HttpDeps, 'services' | 'config'>): Route[] {
  const logIn = defineRoute({
    method: 'POST',
    path: '/api/auth/login',
    operationId: 'logIn',
    summary: 'Begin a session by e-mail and password',
    description: `Five wrong passwords in a row lock the e-mail for ${LOCK_MINUTES} minutes, whether it has an account or not. An address, or a browser with the cookie of this answer, that has logged in within ${KNOWN_SOURCE_DAYS} days is counted separately: the failures of others do not lock it out. The first login makes an \`ONBOARDING\` account \`ACTIVE\`. A member with a second factor gets 401 \`second_factor_required\` with a \`challenge\`, for \`POST /api/auth/second-factor\`.`,
    tags,
    auth: 'none',
    rate: 'login',
    bodyBefore: true,
    body: z.object({ email: emailField, password: passwordField }),
    responses: {
      200: { description: 'A session', schema: tokenPair.extend({ client: clientSummary, member: memberSummary }) },
    },
    errors: [
      'account_locked',
      'invalid_credentials',
      'second_factor_required',
      'password_login_unavailable',
      'account_inactive',
    ],
    handler: async ({ body: { email, password }, request }) => {
      const from = { origin: originOf(request), device: readDevice(request), keepsDevice: keepsDevice(request) };
      const { device, ...body } = await services.logIn({ email, password, ...from });
      const cookies = device === null ? [] : [deviceCookie(device, '/api/auth/login', config.publicUrl)];
      return { status: 200, body, cookies };
    },
  });

  const refresh = defineRoute({
    method: 'POST',
    path: '/api/auth/refresh',
    operationId: 'refreshSession',
    summary: 'Exchange a refresh token for a new pair',
    description: 'Each refresh token can be used once. A second use ends every session of the account at once.',
    tags,
    auth: 'none',
    rate: 'public',
    body: z.object({ refreshToken: secretField }),
    responses: { 200: { description: 'The new pair', schema: tokenPair } },
    errors: ['refresh_token_invalid', 'refresh_token_reused', 'account_inactive'],
    handler: async ({ body: { refreshToken }, request }) => ({
      status: 200,
      body: await services.refreshSession({ refreshToken, origin: originOf(request) }),
    }),
  });

  const logOut = defineRoute({
    method: 'POST',
    path: '/api/auth/logout',
    operationId: 'logOut',
    right: 'own',
    withoutFactor: true,
    summary: 'End the session of the access token',
    tags,
    auth: 'jwt',
    responses: { 204: { description: 'Its access and refresh tokens are no longer valid' } },
    errors: [],
    handler: async ({ caller, request }) => {
      const { sessionId } = caller;
      await services.logOut({ ...memberOf(caller), sessionId, source: sourceOf(caller, request) });
      return { status: 204 };
    },
  });
  return [logIn, refresh, logOut];
}
