import { EMAIL_UNSUBSCRIBE_TEXTS } from '../../documents/pages/email-unsubscribe.ts';
import { html } from './html.ts';
import { publicPage } from './public-page.ts';

const { title, question, done } = EMAIL_UNSUBSCRIBE_TEXTS;

/** Asks before anything happens, because programs that check links open them. The form posts to the page's own address. */
export const unsubscribePage = (): string =>
  publicPage({
    title,
    kind: 'account',
    body: html`<main>
<h1>${question.heading}</h1>
<p>${question.text}</p>
<form method="post"><button>${question.button}</button></form>
</main>`,
  });

export const unsubscribedPage = (): string =>
  publicPage({
    title,
    kind: 'account',
    body: html`<main>
<h1>${done.heading}</h1>
<p>${done.text}</p>
</main>`,
  });
