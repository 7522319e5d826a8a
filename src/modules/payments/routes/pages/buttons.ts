import { type Html, html } from '../../../../platform/http/pages/html.ts';
import { publicPage } from '../../../../platform/http/pages/public-page.ts';
import { rightsLink } from '../../../../platform/http/pages/rights-link.ts';
import { CHECKOUT_TEXTS } from '../../texts/checkout.ts';
import { PERSON_TEXTS } from '../../texts/person.ts';
import {
  type ButtonPage,
  type ButtonQuestion,
  CHECKOUT_BUTTONS,
  type CheckoutButton,
  MAX_REASON,
} from '../../use-cases/press-button.ts';

/** A request that stops the messages is asked about first, because it cannot be taken back on the page. */
export const ASKED_FIRST = ['dispute', 'opt-out'] as const satisfies readonly CheckoutButton[];
export type AskedFirst = (typeof ASKED_FIRST)[number];

export const addressOf = (page: ButtonPage): string =>
  'debtId' in page ? `/checkout/${page.debtId}` : `/pay/${page.pageId}`;

/** What the visitor has already said, and a button for each thing that they may still say. */
export function pageButtons(page: ButtonPage, noted: readonly CheckoutButton[]): Html {
  const { noted: said } = CHECKOUT_TEXTS;
  const ofPerson = 'pageId' in page;
  const words = ofPerson ? PERSON_TEXTS.buttons : CHECKOUT_TEXTS.buttons;
  const open = CHECKOUT_BUTTONS.filter((button) => !noted.includes(button));
  return html`${
    noted.length === 0
      ? undefined
      : html`<section aria-labelledby="noted"><h2 id="noted">${said.heading}</h2>
${noted.map((button) => html`<p class="notice">${said[button]}</p>`)}
</section>`
  }
${
  open.length === 0
    ? undefined
    : html`<section aria-labelledby="other"><h2 id="other">${words.heading}</h2>
${ofPerson ? html`<p class="small">${PERSON_TEXTS.buttons.text}</p>` : undefined}
${open.map((button) => buttonForm(page, button, words[button]))}
</section>`
}`;
}

const isAskedFirst = (button: CheckoutButton): button is AskedFirst =>
  (ASKED_FIRST as readonly CheckoutButton[]).includes(button);

const buttonForm = (page: ButtonPage, button: CheckoutButton, label: string): Html =>
  html`<form method="${isAskedFirst(button) ? 'get' : 'post'}" action="${addressOf(page)}/${button}"><button type="submit" class="plain">${label}</button></form>`;

/** The page between a button and what it does. Its form posts to its own address. */
export function askPage(page: ButtonPage, button: AskedFirst, { creditor, rightsPageId }: ButtonQuestion): string {
  const { ask } = CHECKOUT_TEXTS;
  const { reason } = ask[button];
  const { heading, text, confirm } = 'pageId' in page && button === 'dispute' ? PERSON_TEXTS.ask.dispute : ask[button];
  return publicPage({
    title: heading,
    kind: 'checkout',
    body: html`<main>
<h1>${heading}</h1>
<p>${text(creditor)}</p>
<form method="post" action="${addressOf(page)}/${button}">
<label for="reason">${reason}</label>
<textarea id="reason" name="reason" class="prose" rows="3" maxlength="${MAX_REASON}"></textarea>
<button type="submit">${confirm}</button>
</form>
<p><a class="button plain" href="${addressOf(page)}">${ask.back}</a></p>
${rightsLink(rightsPageId)}
</main>`,
  });
}
