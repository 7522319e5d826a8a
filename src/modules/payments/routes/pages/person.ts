import { formatCnpj } from '../../../../kernel/cnpj.ts';
import { formatReais } from '../../../../kernel/money.ts';
import { formatCalendarDate } from '../../../../kernel/texts/format.ts';
import { type Html, html } from '../../../../platform/http/pages/html.ts';
import { publicPage } from '../../../../platform/http/pages/public-page.ts';
import { AGREEMENT_TEXTS } from '../../texts/agreement.ts';
import { CHECKOUT_TEXTS } from '../../texts/checkout.ts';
import { PERSON_TEXTS } from '../../texts/person.ts';
import type { Checkout } from '../../use-cases/open-checkout.ts';
import type { FurtherDebt, PersonPage } from '../../use-cases/open-person-page.ts';
import { CHECKOUT_BUTTONS, type CheckoutButton } from '../../use-cases/press-button.ts';
import { agreementFacts, agreementToPay } from './agreement.ts';
import { pageButtons } from './buttons.ts';
import { privacyFooter, statusPath, whyThisAmount } from './checkout.ts';
import { offersLink } from './offers.ts';
import { pixCode } from './pix-code.ts';

export const PERSON_SCRIPT_PATH = '/assets/person.js';

/**
 * The page of a person with several debts: one code for each, the oldest debt opened. It is rendered on the server and
 * complete without JavaScript; the script copies codes and loads the page again when a payment was confirmed.
 */
export async function personPage(pageId: string, { debts, further, hasOffers, notice }: PersonPage): Promise<string> {
  const agreed = debts.filter(({ agreement }) => agreement !== null);
  const open = debts.filter(({ agreement, status }) => agreement === null && status !== 'APPROVED');
  const paid = debts.filter(({ agreement, status }) => agreement === null && status === 'APPROVED');
  const [first] = debts;
  if (first === undefined) throw new Error('A page without debts is not shown.');
  const { creditor, sandbox, debtorName } = first;
  const count = open.length + further.length;
  const total = [...open, ...further].reduce((sum, { amountCentavos }) => sum + (amountCentavos ?? 0), 0);
  const isCharged = open.some(({ charged }) => charged !== null) || further.some((debt) => debt.isCharged);
  const agreements = await Promise.all(agreed.map((debt, index) => inAgreement(pageId, debt, index === 0)));
  const sections = await Promise.all(open.map((debt, index) => toPay(debt, index === 0)));
  return publicPage({
    title: PERSON_TEXTS.title(creditor.name),
    kind: 'checkout',
    scriptPath: PERSON_SCRIPT_PATH,
    body: html`${sandbox ? html`<p class="test">DOCUMENTO DE TESTE, SEM VALOR</p>` : undefined}
<main id="person">
${notice === null ? undefined : html`<p class="notice" role="status">${CHECKOUT_TEXTS.notices[notice]}</p>`}
${agreements}
${
  agreed.length > 0
    ? count > 0
      ? html`<h2>${AGREEMENT_TEXTS.others(count)}</h2>`
      : undefined
    : count === 0
      ? html`<h1 class="paid">${PERSON_TEXTS.nothing.heading}</h1><p>${PERSON_TEXTS.nothing.text(creditor.name)}</p>`
      : html`<h1>${PERSON_TEXTS.open.heading(count)}</h1>
<p class="amount">${formatReais(total)}</p><p>${PERSON_TEXTS.open.to(creditor.name, debtorName, isCharged)}</p>
<p class="small">${PERSON_TEXTS.open.howTo}</p>`
}
${sections}
${further.map(furtherDebt)}
${hasOffers ? offersLink({ pageId }, creditor.name) : undefined}
${count + agreed.length === 0 ? undefined : pageButtons({ pageId }, saidOfAll([...agreed, ...open]))}
${paid.map(paidDebt)}
<dl>
<dt>${CHECKOUT_TEXTS.details.creditor}</dt><dd>${creditor.name}</dd>
${creditor.cnpj === null ? undefined : html`<dt>${CHECKOUT_TEXTS.details.cnpj}</dt><dd>${formatCnpj(creditor.cnpj)}</dd>`}
${creditor.address === null ? undefined : html`<dt>${CHECKOUT_TEXTS.details.address}</dt><dd>${creditor.address}</dd>`}
</dl>
</main>
${privacyFooter([first, ...debts.slice(1)], pageId)}`,
  });
}

/** A button of this page counts for all debts, so a dispute of only some of them leaves it to be pressed. */
const saidOfAll = (open: readonly Checkout[]): readonly CheckoutButton[] =>
  CHECKOUT_BUTTONS.filter((button) =>
    button === 'dispute'
      ? open.length > 0 && open.every(({ noted }) => noted.includes(button))
      : open.some(({ noted }) => noted.includes(button)),
  );

const { debt: words } = PERSON_TEXTS;
const { unpaid: payment } = CHECKOUT_TEXTS;

const forWhat = ({ description }: Pick<Checkout, 'description'>): Html | undefined =>
  description === null ? undefined : html`<p>${words.forWhat(description)}</p>`;

async function inAgreement(pageId: string, debt: Checkout, isFirst: boolean): Promise<Html> {
  const { debtId, status, creditor, agreement } = debt;
  if (agreement === null) throw new Error('A debt without an agreement is shown by itself.');
  return html`<section data-debt="${debtId}" data-status-path="${statusPath(debt)}" data-status="${status}">
${isFirst ? html`<h1>${AGREEMENT_TEXTS.heading}</h1>` : html`<h2>${AGREEMENT_TEXTS.heading}</h2>`}
<section>${await agreementToPay({ pageId }, creditor.name, agreement)}</section>
${agreementFacts({ pageId }, agreement)}
</section>`;
}

async function toPay(debt: Checkout, isFirst: boolean): Promise<Html> {
  const { debtId, amountCentavos, dueDate, status, code } = debt;
  return html`<section class="debt" data-debt="${debtId}" data-status-path="${statusPath(debt)}" data-status="${status}">
<h2>${words.name(debt.invoiceId)}: ${formatReais(amountCentavos ?? 0)}</h2>
${forWhat(debt)}<p>${words.due(formatCalendarDate(dueDate))}</p>
${whyThisAmount(debt.charged)}
${debt.receivedCentavos > 0 ? html`<p>${payment.rest(formatReais(debt.receivedCentavos))}</p>` : undefined}
${debt.noted.includes('dispute') ? html`<p>${words.disputed}</p>` : undefined}
${code === null ? html`<p class="notice">${words.noCode}</p>` : await withCode(debt, code.text, isFirst)}
${debt.pageClosed ? undefined : html`<p class="small"><a href="/checkout/${debtId}">${words.other}</a></p>`}
</section>`;
}

const withCode = async ({ debtId }: Checkout, code: string, isFirst: boolean): Promise<Html> =>
  html`<details ${isFirst ? 'open' : ''}><summary>${words.pay}</summary>
${await pixCode(code, `-${debtId}`)}
</details>`;

const furtherDebt = (debt: FurtherDebt): Html =>
  html`<section class="debt"><h2>${words.name(debt.invoiceId)}: ${formatReais(debt.amountCentavos)}</h2>
${forWhat(debt)}<p>${words.due(formatCalendarDate(debt.dueDate))}. ${debt.pageClosed ? words.later : html`<a href="/checkout/${debt.debtId}">${words.pay}</a>`}</p></section>`;

const paidDebt = (debt: Checkout): Html =>
  html`<section class="debt"><h2>${words.name(debt.invoiceId)}: ${formatReais(debt.amountCentavos ?? 0)}</h2>
<p class="paid">${CHECKOUT_TEXTS.paid.heading}</p>
${debt.receiptUrl === null ? undefined : html`<p><a href="${debt.receiptUrl}">${CHECKOUT_TEXTS.paid.download}</a></p>`}</section>`;
