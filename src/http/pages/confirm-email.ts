import { html } from './html.ts';
import { publicPage } from './public-page.ts';

export const CONFIRM_SCRIPT_PATH = '/assets/confirm-email.js';

/**
 * The page contains no token and no account, so it is the same for everybody. A button confirms the address, and
 * opening the page does not, because programs that check the links of mails open all of them.
 */
export const confirmEmailPage = (): string =>
  publicPage({
    title: 'Confirmar e-mail · Quita',
    kind: 'account',
    scriptPath: CONFIRM_SCRIPT_PATH,
    body: html`<main>
<h1>Confirme o seu e-mail</h1>
<form id="form" method="post">
<p>Confirme só se foi você, ou alguém da sua empresa, quem abriu a conta do Quita com este e-mail.</p>
<button type="submit">Confirmar e-mail</button>
</form>
<p id="message" role="status" aria-live="polite"></p>
<noscript><p>Esta página precisa de JavaScript para confirmar o e-mail.</p></noscript>
</main>`,
  });
