import { html } from './html.ts';
import { publicPage } from './public-page.ts';

export const RESET_SCRIPT_PATH = '/assets/reset-password.js';

/** The page contains no token and no account, so it is the same for everybody. */
export const resetPasswordPage = (): string =>
  publicPage({
    title: 'Nova senha · Quita',
    kind: 'account',
    scriptPath: RESET_SCRIPT_PATH,
    body: html`<main>
<h1>Escolha uma nova senha</h1>
<form id="form" method="post" novalidate>
<p id="rules">Pelo menos 8 caracteres, com uma letra maiúscula e um número.</p>
<label for="password">Nova senha</label>
<input id="password" name="password" type="password" autocomplete="new-password" maxlength="256" required aria-describedby="rules">
<label for="repeated">Repita a nova senha</label>
<input id="repeated" name="repeated" type="password" autocomplete="new-password" maxlength="256" required>
<button type="submit">Trocar a senha</button>
</form>
<p id="message" role="status" aria-live="polite"></p>
<noscript><p>Esta página precisa de JavaScript para trocar a senha.</p></noscript>
</main>`,
  });
