import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { readCookie, securedName, writeCookie } from '../../../platform/http/cookies.ts';
import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import type { HttpDeps } from '../../../platform/http/deps.ts';
import { booleanQuery } from '../../../platform/http/fields.ts';
import { originOf } from '../../../platform/http/origin.ts';
import { sessionCookie } from '../../../platform/http/session-cookie.ts';
import { SIGN_IN_MINUTES, SignInRefused } from '../rules/sign-in.ts';

const PATH = '/api/session/identity';
const SEALED = /^[\w.-]{1,2000}$/;
const common = { method: 'GET', tags: ['Console'], auth: 'none', rate: 'public', errors: ['not_found'] } as const;

/** The routes send the browser to addresses of the configuration and of this service only. */
export function identitySignInRoutes(deps: Pick<HttpDeps, 'services' | 'config' | 'logger'>): Route[] {
  const { services, logger } = deps;
  const { publicUrl } = deps.config;
  const name = securedName('quita_sign_in', publicUrl);
  // The provider's site sends the browser back, so that a strict cookie would be missing.
  const keep = (value: string, maxAge: number) =>
    writeCookie(name, value, { path: PATH, maxAge, publicUrl, sameSite: 'Lax' });
  const forget = keep('', 0);

  const refused = (error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') throw error;
    const reason = error instanceof SignInRefused ? error.reason : 'unavailable';
    if (reason === 'unavailable') {
      const err = error instanceof SignInRefused ? error.cause : error;
      logger.warn({ err }, 'a sign-in at the identity provider failed');
    }
    return { status: 303, headers: { Location: `/entrar?erro=${reason}` }, cookies: [forget] } as const;
  };

  const begin = defineRoute({
    ...common,
    path: PATH,
    operationId: 'beginIdentitySignIn',
    summary: 'Send the browser to the identity provider to sign in to the console',
    query: z.object({ remember: booleanQuery.default(false) }),
    responses: {
      302: { description: 'To the page of the identity provider' },
      303: { description: 'To the login page, because the provider does not answer' },
    },
    handler: async ({ query }) => {
      try {
        const { url, kept } = await services.beginIdentitySignIn(query);
        return { status: 302, headers: { Location: url }, cookies: [keep(kept, SIGN_IN_MINUTES * 60)] };
      } catch (error) {
        return refused(error);
      }
    },
  });

  const finish = defineRoute({
    ...common,
    path: `${PATH}/callback`,
    operationId: 'finishIdentitySignIn',
    summary: 'Open a session of the console when the identity provider sends the browser back',
    description:
      'A refusal leads to the login page with its reason: `sign_in_denied`, `sign_in_expired`, `identity_not_linked`, `email_unverified`, `email_not_corporate`, `account_inactive`, `token_invalid` or `unavailable`. A member with a second factor, of which the provider proved none, comes to the login page with a challenge in the fragment (`desafio`), for `POST /api/session`.',
    responses: { 303: { description: 'To the console, or to the login page with `erro`' } },
    handler: async ({ request }) => {
      const [, query = ''] = request.target.split('?', 2);
      const kept = readCookie(request, name, SEALED);
      try {
        const opened = await services.finishIdentitySignIn({ query, kept, origin: originOf(request) });
        if ('challenge' in opened) {
          // In the fragment, which the browser sends to no server.
          const headers = { Location: `/entrar#desafio=${opened.challenge}` };
          return { status: 303, headers, cookies: [forget] };
        }
        return { status: 303, headers: { Location: '/' }, cookies: [sessionCookie(opened, publicUrl), forget] };
      } catch (error) {
        return refused(error);
      }
    },
  });
  return [begin, finish];
}
