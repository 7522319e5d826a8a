import { html } from '../../../../platform/http/pages/html.ts';
import { publicPage } from '../../../../platform/http/pages/public-page.ts';
import { CONFIRM_EMAIL_TEXTS as TEXTS } from '../../texts/confirm-email.ts';

export const CONFIRM_SCRIPT_PATH = '/assets/confirm-email.js';

/**
 * The page contains no token and no account, so it is the same for everybody. A button confirms the address, and
 * opening the page does not, because programs that check the links of mails open all of them.
 */
export const confirmEmailPage = (): string =>
  publicPage({
    title: TEXTS.title,
    kind: 'account',
    scriptPath: CONFIRM_SCRIPT_PATH,
    body: html`<main>
<h1>${TEXTS.heading}</h1>
<form id="form" method="post">
<p>${TEXTS.question}</p>
<button type="submit">${TEXTS.button}</button>
</form>
<p id="message" role="status" aria-live="polite"></p>
<p><a href="/entrar">${TEXTS.console}</a></p>
<noscript><p>${TEXTS.noScript}</p></noscript>
</main>`,
  });
