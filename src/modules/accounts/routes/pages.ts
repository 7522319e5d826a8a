import { defineRoute, type Route } from '../../../platform/http/define-route.ts';
import { fileRoute } from '../../../platform/http/file-route.ts';
import { PAGE_TYPE } from '../../../platform/http/pages/public-page.ts';
import { CONFIRM_SCRIPT_PATH, changeEmailPage, confirmEmailPage } from './pages/confirm-email.ts';
import { RESET_SCRIPT_PATH, resetPasswordPage } from './pages/reset-password.ts';

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
    fileRoute({
      path: RESET_SCRIPT_PATH,
      name: 'reset-password.js',
      operationId: 'getResetPasswordScript',
      summary: 'Script of the page',
      tags: authentication,
    }),
    page(
      {
        path: '/confirm-email',
        operationId: 'getConfirmEmailPage',
        summary: 'Page to confirm an e-mail address (the link of the mail)',
        tags: onboarding,
      },
      confirmEmailPage(),
    ),
    page(
      {
        path: '/change-email',
        operationId: 'getChangeEmailPage',
        summary: 'Page to confirm another e-mail address (the link of the mail)',
        tags: onboarding,
      },
      changeEmailPage(),
    ),
    fileRoute({
      path: CONFIRM_SCRIPT_PATH,
      name: 'confirm-email.js',
      operationId: 'getConfirmEmailScript',
      summary: 'Script of both pages',
      tags: onboarding,
    }),
  ];
}
