import { formatReais } from '../../../../kernel/money.ts';
import { formatCalendarDate } from '../../../../kernel/texts/format.ts';
import { TEST_MARK } from '../../../../kernel/texts/sandbox-mark.ts';
import { type Html, html } from '../../../../platform/http/pages/html.ts';
import { publicPage } from '../../../../platform/http/pages/public-page.ts';
import { rightsLink } from '../../../../platform/http/pages/rights-link.ts';
import type { Instalment } from '../../../agreements/rules/instalments.ts';
import { OFFER_TEXTS } from '../../texts/agreement.ts';
import { CHECKOUT_TEXTS } from '../../texts/checkout.ts';
import { howToReach } from '../../texts/privacy.ts';
import type { CheckoutNotice } from '../../use-cases/checkout-notices.ts';
import type { OfferQuestion, OffersPage } from '../../use-cases/offers-on-page.ts';
import type { ButtonPage } from '../../use-cases/press-button.ts';
import { addressOf } from './buttons.ts';

const offersOf = (page: ButtonPage): string => `${addressOf(page)}/offers`;

/** The way from the page of a debt or a person to the offers. */
export const offersLink = (page: ButtonPage, creditor: string): Html =>
  html`<section aria-labelledby="options"><h2 id="options">${OFFER_TEXTS.link.heading}</h2>
<p>${OFFER_TEXTS.link.text(creditor)}</p>
<p><a class="button plain" href="${offersOf(page)}">${OFFER_TEXTS.link.see}</a></p></section>`;

export function offersPage(page: ButtonPage, shown: OffersPage): string {
  const { creditor, offers, debts, notice, sandbox, rightsPageId } = shown;
  const [example] = offers;
  return publicPage({
    title: OFFER_TEXTS.title(creditor.name),
    kind: 'checkout',
    body: html`${sandbox ? html`<p class="test">${TEST_MARK}</p>` : undefined}
<main>
${notice === null ? undefined : html`<p class="notice" role="status">${noticeOf(notice, offers)}</p>`}
<h1>${OFFER_TEXTS.heading}</h1>
${
  example === undefined
    ? html`<p>${OFFER_TEXTS.none(howToReach(creditor))}</p>`
    : html`<p>${OFFER_TEXTS.about(creditor.name, debts.length)}</p>
${listOf(debts)}
<p class="small">${OFFER_TEXTS.noHurry}</p>
${offers.map((offer) => card(page, offer, debts))}
<p class="small">${OFFER_TEXTS.inWords(example.number)}</p>`
}
<p><a class="button plain" href="${addressOf(page)}">${OFFER_TEXTS.back}</a></p>
${rightsLink(rightsPageId)}
</main>`,
  });
}

const noticeOf = (notice: CheckoutNotice, { length }: OffersPage['offers']): string =>
  notice === 'offers-ended' && length === 0 ? OFFER_TEXTS.noneAfterEnd : CHECKOUT_TEXTS.notices[notice];

const listOf = (debts: OffersPage['debts']): Html =>
  html`<ul>${debts.map(({ invoiceId, dueDate }) => html`<li>${OFFER_TEXTS.debt(invoiceId, dueDate)}</li>`)}</ul>`;

function card(page: ButtonPage, offer: OffersPage['offers'][number], debts: OffersPage['debts']): Html {
  const { id, number, totalCentavos, discountCentavos, instalments, validUntil } = offer;
  const own = debts.filter((debt) => offer.debts.some(({ debtId }) => debtId === debt.id));
  return html`<section class="offer" aria-labelledby="offer-${number}">
<h2 id="offer-${number}">${OFFER_TEXTS.name(number, offer)}</h2>
<p><span class="amount">${formatReais(totalCentavos)}</span> ${OFFER_TEXTS.total}</p>
${discountCentavos === 0 ? undefined : html`<p>${OFFER_TEXTS.discount(discountCentavos)}</p>`}
${own.length === debts.length ? undefined : html`<p>${OFFER_TEXTS.aboutOnly}</p>${listOf(own)}`}
${
  instalments.length === 1
    ? html`<p>${OFFER_TEXTS.once} ${instalments.map(instalmentOf)}</p>`
    : html`<ol>${instalments.map((instalment) => html`<li>${instalmentOf(instalment)}</li>`)}</ol>`
}
<p class="small">${OFFER_TEXTS.validUntil(validUntil)}</p>
<p><a class="button" href="${offersOf(page)}/${id}/accept">${OFFER_TEXTS.choose(number)}</a></p>
</section>`;
}

const instalmentOf = ({ amountCentavos, dueDate }: Instalment): Html =>
  html`<span class="whole">${formatReais(amountCentavos)}</span> ${OFFER_TEXTS.until} <span class="whole">${formatCalendarDate(dueDate)}</span>`;

/** The page between an offer and its acceptance. Its form posts to its own address. */
export function acceptPage(
  page: ButtonPage,
  offerId: string,
  { number, text, sandbox, rightsPageId }: OfferQuestion,
): string {
  const { ask } = OFFER_TEXTS;
  return publicPage({
    title: ask.heading(number),
    kind: 'checkout',
    body: html`${sandbox ? html`<p class="test">${TEST_MARK}</p>` : undefined}
<main>
<h1>${ask.heading(number)}</h1>
<div class="agreed">${text.split('\n').map((line) => html`<p>${line}</p>`)}</div>
<p class="small">${ask.stored}</p>
<form method="post" action="${offersOf(page)}/${offerId}/accept"><button type="submit">${ask.accept}</button></form>
<p><a class="button plain" href="${offersOf(page)}">${ask.back}</a></p>
${rightsLink(rightsPageId)}
</main>`,
  });
}
