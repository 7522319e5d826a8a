import { formatCalendarDate } from '../../documents/format.ts';
import { CHECKOUT_TEXTS } from '../../documents/pages/checkout.ts';
import { PERSON_TEXTS } from '../../documents/pages/person.ts';
import { qrSvg } from '../../documents/qr.ts';
import { formatCnpj } from '../../domain/cnpj.ts';
import { formatReais } from '../../domain/money.ts';
import type { Checkout } from '../../services/payments/open-checkout.ts';
import type { FurtherDebt, PersonPage } from '../../services/payments/open-person-page.ts';
import { privacyFooter } from './checkout.ts';
import { Html, html } from './html.ts';
import { publicPage } from './public-page.ts';

export const PERSON_SCRIPT_PATH = '/assets/person.js';

/**
 * The page of a person with several debts: one code for each, the oldest debt opened. It is rendered on the server and
 * complete without JavaScript; the script copies codes and loads the page again when a payment was confirmed.
 */
export async function personPage({ debts, further }: PersonPage): Promise<string> {
  const open = debts.filter(({ status }) => status !== 'APPROVED');
  const paid = debts.filter(({ status }) => status === 'APPROVED');
  const [first] = debts;
  if (first === undefined) throw new Error('A page without debts is not shown.');
  const { creditor, sandbox, debtorName } = first;
  const count = open.length + further.length;
  const total = [...open, ...further].reduce((sum, { amountCentavos }) => sum + amountCentavos, 0);
  const sections = await Promise.all(open.map((debt, index) => toPay(debt, index === 0)));
  return publicPage({
    title: PERSON_TEXTS.title(creditor.name),
    kind: 'checkout',
    scriptPath: PERSON_SCRIPT_PATH,
    body: html`${sandbox ? html`<p class="test">DOCUMENTO DE TESTE, SEM VALOR</p>` : undefined}
<main id="person">
${
  count === 0
    ? html`<h1 class="paid">${PERSON_TEXTS.nothing.heading}</h1><p>${PERSON_TEXTS.nothing.text(creditor.name)}</p>`
    : html`<h1>${PERSON_TEXTS.open.heading(count)}</h1>
<p class="amount">${formatReais(total)}</p><p>${PERSON_TEXTS.open.to(creditor.name, debtorName)}</p>
<p class="small">${PERSON_TEXTS.open.howTo}</p>`
}
${sections}
${further.map(furtherDebt)}
${paid.map(paidDebt)}
<dl>
<dt>${CHECKOUT_TEXTS.details.creditor}</dt><dd>${creditor.name}</dd>
${creditor.cnpj === null ? undefined : html`<dt>${CHECKOUT_TEXTS.details.cnpj}</dt><dd>${formatCnpj(creditor.cnpj)}</dd>`}
${creditor.address === null ? undefined : html`<dt>${CHECKOUT_TEXTS.details.address}</dt><dd>${creditor.address}</dd>`}
</dl>
</main>
<p id="live" role="status" aria-live="polite" class="live"></p>
${privacyFooter([first, ...debts.slice(1)])}`,
  });
}

const { debt: words } = PERSON_TEXTS;
const { unpaid: payment } = CHECKOUT_TEXTS;

async function toPay(debt: Checkout, isFirst: boolean): Promise<Html> {
  const { debtId, amountCentavos, dueDate, status, code } = debt;
  return html`<section class="debt" data-debt="${debtId}" data-status="${status}">
<h2>${words.name(debt.invoiceId)}: ${formatReais(amountCentavos)}</h2>
<p>${words.due(formatCalendarDate(dueDate))}</p>
${debt.disputed ? html`<p>${words.disputed}</p>` : undefined}
${code === null ? withoutCode(debt) : await withCode(debt, code.text, isFirst)}
<p class="small">${debt.pageClosed ? words.answer : html`<a href="/checkout/${debtId}">${words.other[0]}</a>${words.other[1]}`}</p>
</section>`;
}

const withoutCode = ({ codeMissing, creditor }: Checkout): Html =>
  codeMissing === 'client'
    ? html`<p class="notice">${payment.underpaid(creditor.name)}</p>`
    : html`<p class="notice">${words.noCode}</p>`;

const withCode = async ({ debtId }: Checkout, code: string, isFirst: boolean): Promise<Html> =>
  html`<details ${isFirst ? 'open' : ''}><summary>${words.pay}</summary>
<div class="qr" role="img" aria-label="${payment.qrCode}">${new Html(await qrSvg(code))}</div>
<label for="code-${debtId}">${payment.code}</label>
<textarea id="code-${debtId}" readonly rows="4" spellcheck="false">${code}</textarea>
<button type="button" class="copy" hidden>${payment.copy}</button>
</details>`;

const furtherDebt = (debt: FurtherDebt): Html =>
  html`<section class="debt"><h2>${words.name(debt.invoiceId)}: ${formatReais(debt.amountCentavos)}</h2>
<p>${words.due(formatCalendarDate(debt.dueDate))}. ${debt.pageClosed ? words.later : html`<a href="/checkout/${debt.debtId}">${words.pay}</a>`}</p></section>`;

const paidDebt = (debt: Checkout): Html =>
  html`<section class="debt"><h2>${words.name(debt.invoiceId)}: ${formatReais(debt.amountCentavos)}</h2>
<p class="paid">${CHECKOUT_TEXTS.paid.heading}</p>
${debt.receiptUrl === null ? undefined : html`<p><a href="${debt.receiptUrl}">${CHECKOUT_TEXTS.paid.download}</a></p>`}</section>`;
