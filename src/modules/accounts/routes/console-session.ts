import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { defineRoute, type Route, type RouteRequest } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { originOf } from '../../../platform/http/origin.ts';
import { CookieRefused } from '../../../platform/http/problem.ts';
import { refuseOtherOrigins } from '../../../platform/http/same-origin.ts';
import {
  clearedSessionCookie,
  plantedCookiesCleared,
  readSessionCookie,
  sessionCookie,
  sessionCookieComesTwice,
} from '../../../platform/http/session-cookie.ts';
import type { ConsoleToken } from '../use-cases/console-session.ts';
import { codeField, consoleToken, emailField, passwordField, secretField } from './account-fields.ts';
import { deviceCookie, keepsDevice, readDevice } from './device-cookie.ts';
import { passkeyAnswer } from './passkey-fields.ts';

const PATH = '/api/session';
const common = { tags: ['Console'], auth: 'none' } as const;

const loginBody = z.union([
  z.object({ email: emailField, password: passwordField, remember: z.boolean().default(false) }),
  z.object({ challenge: secretField, code: codeField }),
  passkeyAnswer.extend({ remember: z.boolean().default(false).describe('Of a login that is a passkey alone') }),
]);

const tokenView = ({ token, expiresAt, client, member }: ConsoleToken) => ({
  token,
  expiresAt: expiresAt.toISOString(),
  client,
  member,
});

/** These routes alone read the cookie of the console, and they refuse the pages of other sites. */
export function consoleSessionRoutes({ services, config }: Pick<HttpDeps, 'services' | 'config'>): Route[] {
  const { publicUrl } = config;
  const cleared = clearedSessionCookie(publicUrl);
  const planted = plantedCookiesCleared(publicUrl);

  const cookieOf = (request: RouteRequest): string | null => {
    refuseOtherOrigins(request, config);
    if (sessionCookieComesTwice(request, publicUrl)) throw new CookieRefused([...planted, cleared]);
    return readSessionCookie(request, publicUrl);
  };
  const clearingRefused = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'unauthenticated' ? new CookieRefused([cleared]) : error;
    });

  const enter = (body: z.output<typeof loginBody>, request: RouteRequest) => {
    const from = { origin: originOf(request), device: readDevice(request), keepsDevice: keepsDevice(request) };
    if ('response' in body) return services.enterConsoleByPasskey({ ...body, ...from });
    if ('code' in body) return services.answerChallengeOfConsole({ ...body, ...from });
    return services.logInToConsole({ ...body, ...from });
  };

  const logIn = defineRoute({
    ...common,
    method: 'POST',
    path: PATH,
    operationId: 'logInToConsole',
    summary: 'Begin a session of the console by e-mail and password or by a passkey, or finish its login',
    description:
      'Refuses like `POST /api/auth/login`, and shares its lockout and rate. The answer sets a cookie that scripts cannot read and that does not change. Without use the session expires after 12 hours, and after 24 hours in any case; with `remember` after 7 and 30 days. A member with a second factor gets 401 `second_factor_required` with a `challenge`, and sends it with a code to the same address. A passkey answers what `POST /api/auth/passkey/options` asked.',
    rate: 'login',
    bodyBefore: true,
    body: loginBody,
    responses: { 200: { description: 'A session', schema: consoleToken } },
    errors: [
      'origin_refused',
      'account_locked',
      'invalid_credentials',
      'second_factor_required',
      'token_invalid',
      'password_login_unavailable',
      'account_inactive',
    ],
    handler: async ({ body, request }) => {
      refuseOtherOrigins(request, config);
      const { device, ...session } = await enter(body, request);
      // The browser forgets the cookie of an earlier login, so nobody else may use it either.
      await services.endConsoleSession(readSessionCookie(request, publicUrl), originOf(request));
      const known = device === null ? [] : [deviceCookie(device, PATH, publicUrl)];
      const others = sessionCookieComesTwice(request, publicUrl) ? planted : [];
      const cookies = [...others, sessionCookie(session, publicUrl), ...known];
      return { status: 200, body: tokenView(session), cookies };
    },
  });

  const renew = defineRoute({
    ...common,
    method: 'POST',
    path: `${PATH}/token`,
    operationId: 'renewConsoleToken',
    summary: 'Exchange the cookie of the console for an access token',
    description: 'The cookie stays the same: many tabs may call at once, and an answer that is lost ends no session.',
    rate: 'public',
    responses: { 200: { description: 'A new access token', schema: consoleToken } },
    errors: ['origin_refused', 'unauthenticated', 'account_inactive'],
    handler: async ({ request }) => {
      const cookie = cookieOf(request);
      return {
        status: 200,
        body: tokenView(await clearingRefused(services.renewConsoleToken(cookie, originOf(request)))),
      };
    },
  });

  const end = defineRoute({
    ...common,
    method: 'DELETE',
    path: PATH,
    operationId: 'endConsoleSession',
    summary: 'End the session of the cookie',
    rate: 'public',
    responses: {
      204: { description: 'The cookie has no session any more, and its access tokens are no longer valid' },
    },
    errors: ['origin_refused', 'unauthenticated'],
    handler: async ({ request }) => {
      await services.endConsoleSession(cookieOf(request), originOf(request));
      return { status: 204, cookies: [cleared] };
    },
  });

  const endAll = defineRoute({
    ...common,
    method: 'POST',
    path: `${PATH}/end-all`,
    operationId: 'endAllSessions',
    summary: 'End every session of the member',
    description: 'Ends the sessions of the console and of programs, with their access tokens. The API key stays.',
    rate: 'public',
    responses: { 204: { description: 'No session is open any more' } },
    errors: ['origin_refused', 'unauthenticated', 'account_inactive'],
    handler: async ({ request }) => {
      const cookie = cookieOf(request);
      await clearingRefused(services.endAllSessions(cookie, originOf(request)));
      return { status: 204, cookies: [cleared] };
    },
  });
  return [logIn, renew, end, endAll];
}
