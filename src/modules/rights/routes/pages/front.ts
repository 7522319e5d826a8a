import { TEST_MARK } from '../../../../kernel/texts/sandbox-mark.ts';
import { type Html, html } from '../../../../platform/http/pages/html.ts';
import { publicPage } from '../../../../platform/http/pages/public-page.ts';
import { RIGHTS_TEXTS } from '../../texts/rights-page.ts';
import type { RightsFront } from '../../use-cases/open-page.ts';

const { front, notMineDone } = RIGHTS_TEXTS;

export type FrontNotice = 'wrong' | 'shut' | 'closed' | null;

const frame = (title: string, body: Html): string => publicPage({ title, kind: 'checkout', body });

/** What anybody sees who has the address: the creditor, the question for the digits, and the way out. */
export function frontPage(token: string, { creditor, sandbox }: RightsFront, notice: FrontNotice): string {
  return frame(
    RIGHTS_TEXTS.title(creditor),
    html`${sandbox ? html`<p class="test">${TEST_MARK}</p>` : undefined}
<main>
<h1>${front.heading}</h1>
${notice === null ? undefined : html`<p class="notice" role="alert">${front[notice]}</p>`}
<p>${front.who(creditor)}</p>
<p>${front.why}</p>
${
  notice === 'shut'
    ? undefined
    : html`<form method="post" action="/direitos/${token}/abrir">
<label for="digitos">${front.digits}</label>
<p class="small" id="digitos-ajuda">${front.hint}</p>
<input id="digitos" name="digitos" inputmode="text" autocomplete="off" maxlength="4" required aria-describedby="digitos-ajuda">
<button type="submit">${front.open}</button>
</form>`
}
<section aria-labelledby="nao-meu"><h2 id="nao-meu">${front.notMine.heading}</h2>
<p>${front.notMine.text}</p>
${notMineForm(token, front.notMine.button)}
</section>
</main>`,
  );
}

export const notMineForm = (token: string, label: string): Html =>
  html`<form method="post" action="/direitos/${token}/nao-e-meu"><button type="submit" class="plain">${label}</button></form>`;

/** The last page of an address: it names neither the person nor the creditor. */
export const notMinePage = (protocol: string): string =>
  frame(
    notMineDone.heading,
    html`<main><h1>${notMineDone.heading}</h1>
<p>${notMineDone.text}</p>
<p class="notice">${notMineDone.protocol(protocol)}</p>
<p>${notMineDone.end}</p></main>`,
  );
