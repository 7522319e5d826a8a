import { GENUINE_PATH } from '../../../../kernel/texts/genuine.ts';
import { type Html, html } from '../../../../platform/http/pages/html.ts';
import { publicPage } from '../../../../platform/http/pages/public-page.ts';
import { MAX_CONTENT } from '../../rules/content.ts';
import { GENUINE_TEXTS } from '../../texts/genuine.ts';
import type { GenuineAnswer } from '../../use-cases/check-content.ts';

const { ask, yes, no, test } = GENUINE_TEXTS;

/** What was pasted is not shown again, so that it stands on no page. */
const form = (button: string, error?: string): Html => html`<form method="post" action="${GENUINE_PATH}">
<label for="content">${ask.label}</label>
<p class="small" id="hint">${ask.hint}</p>
${error === undefined ? undefined : html`<p class="error" id="error" role="alert">${error}</p>`}
<textarea id="content" name="content" rows="6" maxlength="${MAX_CONTENT}" required autocomplete="off" spellcheck="false" aria-describedby="hint${error === undefined ? '' : ' error'}"${error === undefined ? undefined : html` aria-invalid="true"`}></textarea>
<button type="submit">${button}</button>
</form>`;

const page = (title: string, body: Html): string =>
  publicPage({
    title,
    kind: 'account',
    body: html`<main>
${body}
</main>
<footer><p>${GENUINE_TEXTS.footer}</p></footer>`,
  });

const list = (heading: string, items: readonly string[]): Html => html`<h2>${heading}</h2>
<ul>
${items.map((item) => html`<li>${item}</li>`)}
</ul>`;

const verdict = (heading: string, kind: 'authentic' | 'revoked', [strong, rest]: readonly [string, string]): Html =>
  html`<h1>${heading}</h1>
<p class="verdict ${kind}"><strong>${strong}</strong>${rest}</p>`;

/** The public page on which anybody pastes what came. It works without script. */
export const genuinePage = (problem?: 'empty' | 'tooLong'): string =>
  page(
    ask.title,
    html`<h1>${ask.heading}</h1>
<p>${ask.intro}</p>
${form(ask.button, problem === undefined ? undefined : ask[problem])}`,
  );

/** The answer, and below it the form for another question. */
export function genuineAnswerPage({ kind, creditor, month, sandbox }: GenuineAnswer): string {
  const again = html`<h2>${ask.again}</h2>
${form(ask.button)}`;
  if (kind === null) {
    return page(
      no.title,
      html`${verdict(no.heading, 'revoked', no.text)}
${list(no.whatToDo, no.steps)}
${list(no.paid, no.afterPaying)}
${again}`,
    );
  }
  // Whoever tries the service out writes the name of the company, so a test names nobody here.
  if (sandbox) return page(test.title, html`${verdict(test.heading, 'revoked', test.text)}${again}`);
  return page(
    yes.title,
    html`${verdict(yes.heading, 'authentic', yes.texts[kind]({ kind, creditor, month }))}${again}`,
  );
}
