import { html } from '../../../../platform/http/pages/html.ts';
import { publicPage } from '../../../../platform/http/pages/public-page.ts';
import { RESET_PASSWORD_TEXTS as TEXTS } from '../../texts/reset-password.ts';

export const RESET_SCRIPT_PATH = '/assets/reset-password.js';

/** The page contains no token and no account, so it is the same for everybody. */
export const resetPasswordPage = (): string =>
  publicPage({
    title: TEXTS.title,
    kind: 'account',
    scriptPath: RESET_SCRIPT_PATH,
    body: html`<main>
<h1>${TEXTS.heading}</h1>
<form id="form" method="post" novalidate>
<p id="rules">${TEXTS.rules}</p>
<label for="password">${TEXTS.password}</label>
<input id="password" name="password" type="password" autocomplete="new-password" maxlength="256" required aria-describedby="rules">
<label for="repeated">${TEXTS.repeated}</label>
<input id="repeated" name="repeated" type="password" autocomplete="new-password" maxlength="256" required>
<button type="submit">${TEXTS.button}</button>
</form>
<p id="message" role="status" aria-live="polite"></p>
<p><a href="/entrar">${TEXTS.console}</a></p>
<noscript><p>${TEXTS.noScript}</p></noscript>
</main>`,
  });
