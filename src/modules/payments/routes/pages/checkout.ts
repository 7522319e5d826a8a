import { formatCnpj } from '../../../../kernel/cnpj.ts';
import { formatReais } from '../../../../kernel/money.ts';
import { formatCalendarDate, localMoment } from '../../../../kernel/texts/format.ts';
import { TEST_MARK } from '../../../../kernel/texts/sandbox-mark.ts';
import { type Html, html } from '../../../../platform/http/pages/html.ts';
import { publicPage } from '../../../../platform/http/pages/public-page.ts';
import { rightsLink } from '../../../../platform/http/pages/rights-link.ts';
import { COMPONENT_NAMES, partsInWords } from '../../../terms/texts/components.ts';
import { AGREEMENT_TEXTS } from '../../texts/agreement.ts';
import { CHECKOUT_TEXTS } from '../../texts/checkout.ts';
import { PERSON_TEXTS } from '../../texts/person.ts';
import { PRIVACY_HEADING, privacyNotice } from '../../texts/privacy.ts';
import type { AgreementOnPage, AskedOfAgreement } from '../../use-cases/agreement-on-page.ts';
import type { Charged, Checkout } from '../../use-cases/open-checkout.ts';
import { agreementFacts, agreementToPay } from './agreement.ts';
import { pageButtons } from './buttons.ts';
import { offersLink } from './offers.ts';
import { pixCode } from './pix-code.ts';

export const CHECKOUT_SCRIPT_PATH = '/assets/checkout.js';
/** The UTC offset of Brasília, which the page names. */
const UTC_OFFSET = -3;

const {
  notices,
  nothing,
  paid: paidTexts,
  cancelled,
  unpaid: unpaidTexts,
  why,
  disputed,
  details: labels,
} = CHECKOUT_TEXTS;

/**
 * The page is rendered on the server and complete without JavaScript; the script copies, polls and refreshes `main`.
 */
export async function checkoutPage(checkout: Checkout): Promise<string> {
  const { status, code, receiptUrl, notice } = checkout;
  const isPaid = status === 'APPROVED' && checkout.agreement === null;
  const receipt = status !== 'APPROVED' ? 'none' : receiptUrl === null ? 'waiting' : 'ready';
  return publicPage({
    title: CHECKOUT_TEXTS.title(checkout.creditor.name),
    kind: 'checkout',
    scriptPath: CHECKOUT_SCRIPT_PATH,
    body: html`${checkout.sandbox ? html`<p class="test">${TEST_MARK}</p>` : undefined}
<main id="page" data-debt="${checkout.debtId}" data-status-path="${statusPath(checkout)}" data-status="${status}" data-receipt="${receipt}" data-expires-in="${code === null ? '' : String(code.expiresInMs)}">
${notice === null ? undefined : html`<p class="notice" role="status">${notices[notice]}</p>`}
${isPaid ? paid(checkout) : checkout.agreement === null ? await unpaid(checkout) : await agreed(checkout, checkout.agreement)}
${checkout.hasOffers ? offersLink({ debtId: checkout.debtId }, checkout.creditor.name) : undefined}
${checkout.personPageId === null ? undefined : html`<p><a href="/pay/${checkout.personPageId}">${PERSON_TEXTS.all(checkout.creditor.name)}</a></p>`}
${details(checkout)}
${isPaid || status === 'CANCELLED' ? undefined : pageButtons({ debtId: checkout.debtId }, checkout.noted)}
</main>
<p id="live" role="status" aria-live="polite" class="live"></p>
${privacyFooter([checkout], checkout.rightsPageId)}`,
  });
}

/** Where the script of a page asks for the status that the page waits for. */
export const statusPath = ({ debtId, agreement }: Pick<Checkout, 'debtId' | 'agreement'>): string =>
  `/api/checkout/${debtId}/${agreement === null ? 'status' : 'agreement/status'}`;

/** The page after a visitor has said to be another person: it shows no creditor, no name and no amount. */
export const nothingPage = (): string =>
  publicPage({
    title: nothing.heading,
    kind: 'checkout',
    body: html`<main><h1>${nothing.heading}</h1>
<p>${nothing.text}</p></main>`,
  });

const paid = ({ receiptUrl }: Checkout): Html => html`<h1 class="paid">${paidTexts.heading}</h1>
${
  receiptUrl === null
    ? html`<p>${paidTexts.receiptWaiting}</p>`
    : html`<p>${paidTexts.receiptReady}</p><p><a class="button" href="${receiptUrl}">${paidTexts.download}</a></p>`
}`;

async function agreed({ debtId, creditor, status, sandbox }: Checkout, agreement: AgreementOnPage): Promise<Html> {
  const page = { debtId };
  return html`<h1>${AGREEMENT_TEXTS.heading}</h1>
<section>
${status === 'REJECTED' ? html`<p class="notice">${unpaidTexts.refused}</p>` : undefined}
${await agreementToPay(page, creditor.name, agreement)}
${agreement.code === null ? undefined : reloadHint(debtId)}
${sandbox && agreement.code !== null ? payTest(debtId, agreement.asked) : undefined}
</section>
${agreementFacts(page, agreement)}`;
}

/** For browsers without JavaScript. */
function reloadHint(debtId: string): Html {
  const [before, link, after] = unpaidTexts.afterPaying;
  return html`<noscript><p class="small">${before}<a href="/checkout/${debtId}">${link}</a>${after}</p></noscript>`;
}

async function unpaid(checkout: Checkout): Promise<Html> {
  const { creditor, code, status, amountCentavos, noted, notOverdue, dueDate } = checkout;
  if (status === 'CANCELLED' || amountCentavos === null) {
    return html`<h1>${cancelled.heading}</h1><p>${cancelled.text(creditor.name)}</p>`;
  }
  const amount = html`<p class="amount">${formatReais(amountCentavos)}</p><p>${unpaidTexts.to(creditor.name)}</p>
${notOverdue ? html`<p>${unpaidTexts.due(formatCalendarDate(dueDate))}</p>` : undefined}
${whyThisAmount(checkout.charged)}`;
  const title = html`<h1>${unpaidTexts.heading}</h1>${amount}`;
  const { receivedCentavos, partReceipts } = checkout;
  const rest =
    receivedCentavos > 0
      ? html`<p>${unpaidTexts.rest(formatReais(receivedCentavos))}${partReceipts.map(
          ({ url, paidCentavos }) => html` <a href="${url}">${unpaidTexts.partReceipt(formatReais(paidCentavos))}</a>`,
        )}</p>`
      : undefined;
  if (code === null) {
    return html`${title}${rest}<p class="notice">${unpaidTexts.noCode} <a href="/checkout/${checkout.debtId}">${unpaidTexts.tryAgain}</a>.</p>`;
  }
  const { date, time } = localMoment(code.expiresAt, UTC_OFFSET);
  const payment = html`${rest}
${status === 'REJECTED' ? html`<p class="notice">${unpaidTexts.refused}</p>` : undefined}
${await pixCode(code.text)}
<p class="small">${unpaidTexts.validUntil(date, time.slice(0, 5))}</p>
${reloadHint(checkout.debtId)}
${checkout.sandbox ? payTest(checkout.debtId) : undefined}`;
  if (!noted.includes('dispute')) return html`${title}${payment}`;
  return html`<h1>${disputed.heading}</h1><p>${disputed.text(creditor.name)}</p>
<details class="fold"><summary>${disputed.payAnyway}</summary>
${amount}
${payment}
</details>`;
}

const details = ({
  creditor,
  debtorName,
  invoiceId,
  description,
  amountCentavos,
  charged,
  dueDate,
  status,
  agreement,
}: Checkout): Html => html`<section aria-labelledby="about">
<h2 id="about">${labels.heading}</h2>
<dl>
<dt>${labels.creditor}</dt><dd>${creditor.name}</dd>
${creditor.cnpj === null ? undefined : html`<dt>${labels.cnpj}</dt><dd>${formatCnpj(creditor.cnpj)}</dd>`}
${creditor.address === null ? undefined : html`<dt>${labels.address}</dt><dd>${creditor.address}</dd>`}
<dt>${labels.debtor}</dt><dd>${debtorName}</dd>
${description === null ? undefined : html`<dt>${labels.description}</dt><dd>${description}</dd>`}
${invoiceId === null ? undefined : html`<dt>${labels.invoice}</dt><dd>${invoiceId}</dd>`}
${amountCentavos === null || agreement !== null ? undefined : html`<dt>${status === 'APPROVED' ? labels.amount : labels.amountToPay}</dt><dd>${formatReais(amountCentavos)}${charged === null ? html` ${labels.noExtra}` : undefined}</dd>`}
<dt>${labels.dueDate}</dt><dd>${formatCalendarDate(dueDate)}</dd>
</dl>
</section>`;

/** What the amount is made of, in a sentence, and folded below it how each part was computed and by which clause. */
export function whyThisAmount(charged: Charged | null): Html | undefined {
  if (charged === null) return undefined;
  const { parts, lines, clause } = charged;
  const words = partsInWords(parts);
  return html`${words === null ? undefined : html`<p>${words}</p>`}
<details class="fold"><summary>${why.heading}</summary>
${words === null ? html`<p>${why.nothingYet}</p>` : undefined}
<dl>
${lines.map(({ component, centavos, formula }) => html`<dt>${why.part(COMPONENT_NAMES[component], formula)}</dt><dd>${formatReais(centavos)}</dd>`)}
${clause === null ? undefined : html`<dt>${why.clause}</dt><dd>${clause}</dd>`}
</dl>
${parts.interest === 0 ? undefined : html`<p class="small">${why.perDay}</p>`}
</details>`;
}

const payTest = (debtId: string, asked: AskedOfAgreement = 'next'): Html =>
  html`<form method="post" action="/checkout/${debtId}/pay${asked === 'rest' ? '?quitar=tudo' : ''}"><button type="submit" class="primary">${unpaidTexts.payTest}</button></form>`;

/** The notice of a page with these debts of one person, and the way to the page of their rights. */
export function privacyFooter(debts: readonly [Checkout, ...Checkout[]], rightsPageId: string | null): Html {
  const [{ creditor }] = debts;
  const cnpj = creditor.cnpj === null ? null : formatCnpj(creditor.cnpj);
  return html`<footer>
<h2>${PRIVACY_HEADING}</h2>
${privacyNotice({ ...creditor, cnpj }, debts).map((paragraph) => html`<p>${paragraph}</p>`)}
${rightsLink(rightsPageId)}
</footer>`;
}
