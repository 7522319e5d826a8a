import { readFileSync } from 'node:fs';
import { defineRoute, type Route } from '../../define-route.ts';
import { ACCOUNT_STYLE_PATH } from '../../pages/account-style.ts';
import { CONFIRM_SCRIPT_PATH, confirmEmailPage } from '../../pages/confirm-email.ts';
import { PAGE_TYPE } from '../../pages/layout.ts';
import { RESET_SCRIPT_PATH, resetPasswordPage } from '../../pages/reset-password.ts';

const asset = (name: string): string => readFileSync(new URL(`../../pages/assets/${name}`, import.meta.url), 'utf8');
const CACHED = { 'Cache-Control': 'public, max-age=3600' } as const;
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

interface RouteFacts {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
}

const page = (facts: RouteFacts, body: string): Route =>
  defineRoute({
    ...facts,
    method: 'GET',
    auth: 'none',
    rate: 'public',
    responses: { 200: { description: 'The page, in Portuguese', contentType: PAGE_TYPE } },
    errors: [],
    handler: async () => ({ status: 200, body, headers: { 'X-Robots-Tag': 'noindex' } }),
  });

const file = (facts: RouteFacts, body: string, contentType: string): Route =>
  defineRoute({
    ...facts,
    method: 'GET',
    auth: 'none',
    responses: { 200: { description: 'The file', contentType } },
    errors: [],
    handler: async () => ({ status: 200, body, headers: CACHED }),
  });

/**
 * The pages that links in mails open. The script of each page reads the token from the fragment of the address, which
 * is never sent to a server and so never logged, and calls the API.
 */
export function accountPages(): Route[] {
  const authentication = ['Authentication'];
  const onboarding = ['Onboarding'];
  return [
    page(
      {
        path: '/reset-password',
        operationId: 'getResetPasswordPage',
        summary: 'Page to choose a new password (the link of the mail)',
        tags: authentication,
      },
      resetPasswordPage(),
    ),
    file(
      {
        path: RESET_SCRIPT_PATH,
        operationId: 'getResetPasswordScript',
        summary: 'Script of the page',
        tags: authentication,
      },
      asset('reset-password.js'),
      SCRIPT_TYPE,
    ),
    page(
      {
        path: '/confirm-email',
        operationId: 'getConfirmEmailPage',
        summary: 'Page to confirm an e-mail address (the link of the mail)',
        tags: onboarding,
      },
      confirmEmailPage(),
    ),
    file(
      {
        path: CONFIRM_SCRIPT_PATH,
        operationId: 'getConfirmEmailScript',
        summary: 'Script of the page',
        tags: onboarding,
      },
      asset('confirm-email.js'),
      SCRIPT_TYPE,
    ),
    file(
      {
        path: ACCOUNT_STYLE_PATH,
        operationId: 'getAccountPagesStyle',
        summary: 'Style of the pages of an account',
        tags: onboarding,
      },
      asset('account.css'),
      'text/css; charset=utf-8',
    ),
  ];
}
