import type { AppError } from '../../../kernel/errors.ts';
import { ERROR_TEXTS } from './error-text.ts';
import { html } from './html.ts';
import { publicPage } from './public-page.ts';

export interface ErrorOnPage {
  readonly error: AppError;
  readonly requestId: string;
  /** Whether the address is one of a page. Otherwise nothing exists there, and the page links the console. */
  readonly known: boolean;
}

/**
 * The page in place of a problem, for people. It tells what to do and nothing of the cause, which only the problem
 * names. Support can look up a failure of the service by the id of the request; other errors need no support.
 */
export function errorPage({ error, requestId, known }: ErrorOnPage): string {
  const { heading, text } = ERROR_TEXTS.byCode[error.code] ?? (known ? ERROR_TEXTS.brokenLink : ERROR_TEXTS.noSuchPage);
  return publicPage({
    title: heading,
    kind: 'account',
    body: html`<main>
<h1>${heading}</h1>
<p>${text}</p>
${known ? undefined : html`<p><a href="/">${ERROR_TEXTS.console}</a></p>`}
${error.status >= 500 ? html`<p class="small">${ERROR_TEXTS.support(requestId)}</p>` : undefined}
</main>`,
  });
}
