import { html } from '../../../../platform/http/pages/html.ts';
import { publicPage } from '../../../../platform/http/pages/public-page.ts';
import { rightsLink } from '../../../../platform/http/pages/rights-link.ts';
import { EMAIL_UNSUBSCRIBE_TEXTS } from '../../texts/email-unsubscribe.ts';

const { title, question, done } = EMAIL_UNSUBSCRIBE_TEXTS;

/** Asks before anything happens, because programs that check links open them. The form posts to the page's own address. */
export const unsubscribePage = (rightsPageId: string | null): string =>
  publicPage({
    title,
    kind: 'checkout',
    body: html`<main>
<h1>${question.heading}</h1>
<p>${question.text}</p>
<form method="post"><button>${question.button}</button></form>
${rightsLink(rightsPageId)}
</main>`,
  });

export const unsubscribedPage = (rightsPageId: string | null): string =>
  publicPage({
    title,
    kind: 'checkout',
    body: html`<main>
<h1>${done.heading}</h1>
<p>${done.text}</p>
${rightsLink(rightsPageId)}
</main>`,
  });
