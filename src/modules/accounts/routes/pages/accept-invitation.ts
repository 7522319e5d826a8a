import { html } from '../../../../platform/http/pages/html.ts';
import { publicPage } from '../../../../platform/http/pages/public-page.ts';
import { ACCEPT_INVITATION_TEXTS as TEXTS } from '../../texts/accept-invitation.ts';

export const ACCEPT_PATH = '/accept-invitation';
export const ACCEPT_SCRIPT_PATH = '/assets/accept-invitation.js';

export type AcceptProblem = keyof typeof TEXTS.problems;

/**
 * The page contains no token and no account, so it is the same for everybody. Its script takes the code from the fragment
 * of the address and hides the field; without a script the person copies the code from the mail.
 */
export const acceptInvitationPage = (): string =>
  publicPage({
    title: TEXTS.title,
    kind: 'account',
    scriptPath: ACCEPT_SCRIPT_PATH,
    body: html`<main>
<h1>${TEXTS.heading}</h1>
<form id="form" method="post" action="${ACCEPT_PATH}">
<p>${TEXTS.intro}</p>
<div id="code">
<label for="token">${TEXTS.code}</label>
<input id="token" name="token" autocomplete="off" maxlength="100" required>
</div>
<label for="name">${TEXTS.name}</label>
<input id="name" name="name" autocomplete="name" maxlength="200" required>
<p id="rules">${TEXTS.rules}</p>
<label for="password">${TEXTS.password}</label>
<input id="password" name="password" type="password" autocomplete="new-password" maxlength="256" required aria-describedby="rules">
<button type="submit">${TEXTS.button}</button>
</form>
<p id="message" role="status" aria-live="polite"></p>
<p><a href="/entrar">${TEXTS.console}</a></p>
</main>`,
  });

/** What the form without a script leads to. */
export const acceptedPage = (problems: readonly AcceptProblem[]): string =>
  publicPage({
    title: TEXTS.title,
    kind: 'account',
    body: html`<main>
<h1>${TEXTS.heading}</h1>
${problems.length === 0 ? html`<p role="status">${TEXTS.done}</p>` : problems.map((problem) => html`<p role="alert">${TEXTS.problems[problem]}</p>`)}
<p>${problems.length === 0 ? html`<a href="/entrar">${TEXTS.console}</a>` : html`<a href="${ACCEPT_PATH}">${TEXTS.back}</a>`}</p>
</main>`,
  });
