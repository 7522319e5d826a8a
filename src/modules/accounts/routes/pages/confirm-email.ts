import { html } from '../../../../platform/http/pages/html.ts';
import { publicPage } from '../../../../platform/http/pages/public-page.ts';
import {
  CHANGE_EMAIL_TEXTS,
  CONFIRM_EMAIL_COMMON,
  CONFIRM_EMAIL_TEXTS,
  type ConfirmEmailTexts,
} from '../../texts/confirm-email.ts';

export const CONFIRM_SCRIPT_PATH = '/assets/confirm-email.js';

/**
 * The page contains no token and no account, so it is the same for everybody. A button confirms the address, and
 * opening the page does not, because programs that check the links of mails open all of them.
 */
const confirmationPage = (texts: ConfirmEmailTexts, call: string): string =>
  publicPage({
    title: texts.title,
    kind: 'account',
    scriptPath: CONFIRM_SCRIPT_PATH,
    body: html`<main>
<h1>${texts.heading}</h1>
<form id="form" method="post" data-call="${call}" data-done="${texts.done}" data-pending="${texts.pending}" data-ended="${texts.ended}">
<p>${texts.question}</p>
<button type="submit">${texts.button}</button>
</form>
<p id="message" role="status" aria-live="polite"></p>
<p><a href="/entrar">${CONFIRM_EMAIL_COMMON.console}</a></p>
<noscript><p>${CONFIRM_EMAIL_COMMON.noScript}</p></noscript>
</main>`,
  });

export const confirmEmailPage = (): string => confirmationPage(CONFIRM_EMAIL_TEXTS, '/api/onboarding/confirm-email');

export const changeEmailPage = (): string =>
  confirmationPage(CHANGE_EMAIL_TEXTS, '/api/onboarding/confirm-email-change');
