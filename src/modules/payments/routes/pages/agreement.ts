import { formatReais } from '../../../../kernel/money.ts';
import { formatCalendarDate, localMoment } from '../../../../kernel/texts/format.ts';
import { type Html, html } from '../../../../platform/http/pages/html.ts';
import type { InstalmentState } from '../../../agreements/rules/agreement-state.ts';
import { LATE_INSTALMENT, PAY_EARLY } from '../../../agreements/texts/accepted-text.ts';
import { AGREEMENT_TEXTS } from '../../texts/agreement.ts';
import { CHECKOUT_TEXTS } from '../../texts/checkout.ts';
import { PERSON_TEXTS } from '../../texts/person.ts';
import type { AgreementOnPage } from '../../use-cases/agreement-on-page.ts';
import type { ButtonPage } from '../../use-cases/press-button.ts';
import { addressOf } from './buttons.ts';
import { pixCode } from './pix-code.ts';

/** The UTC offset of Brasília, which the page names. */
const UTC_OFFSET = -3;
const { instalments: list, details: labels, move: words } = AGREEMENT_TEXTS;

/** What is asked for now, with its code. */
export async function agreementToPay(page: ButtonPage, creditor: string, agreement: AgreementOnPage): Promise<Html> {
  const { next, asked, code, openCentavos, instalments, protocol } = agreement;
  if (next === null) {
    return html`<p class="paid">${AGREEMENT_TEXTS.paid.heading}</p><p>${AGREEMENT_TEXTS.paid.text}</p>`;
  }
  const isRest = asked === 'rest';
  const amount = code?.amountCentavos ?? (isRest ? openCentavos : next.openCentavos);
  const received = next.amountCentavos - next.openCentavos;
  const isLate = next.status === 'LATE';
  return html`<p class="amount">${formatReais(amount)}</p>
<p>${isRest ? AGREEMENT_TEXTS.rest : AGREEMENT_TEXTS.next(next.number, instalments.length, next.dueDate, isLate)}</p>
<p>${CHECKOUT_TEXTS.unpaid.to(creditor)}</p>
${received > 0 && !isRest ? html`<p>${AGREEMENT_TEXTS.part(formatReais(received))}</p>` : undefined}
${isLate ? html`<p class="small">${LATE_INSTALMENT}</p>` : undefined}
${
  code === null
    ? html`<p class="notice">${AGREEMENT_TEXTS.noCode} <a href="${addressOf(page)}${isRest ? PAY_REST : ''}">${AGREEMENT_TEXTS.tryAgain}</a>.</p>`
    : await withCode(code, protocol)
}
${otherWay(page, agreement)}`;
}

async function withCode(code: NonNullable<AgreementOnPage['code']>, protocol: string): Promise<Html> {
  const { date, time } = localMoment(code.expiresAt, UTC_OFFSET);
  return html`${await pixCode(code.text, `-${protocol}`)}
<p class="small">${CHECKOUT_TEXTS.unpaid.validUntil(date, time.slice(0, 5))}</p>`;
}

const PAY_REST = '?quitar=tudo';

/** The way from the next instalment to the whole rest, and back; where both are the same there is none. */
function otherWay(page: ButtonPage, { next, asked, openCentavos }: AgreementOnPage): Html | undefined {
  if (next === null || next.openCentavos === openCentavos) return undefined;
  return asked === 'rest'
    ? html`<p><a class="button plain" href="${addressOf(page)}">${AGREEMENT_TEXTS.payNext}</a></p>`
    : html`<p><a class="button plain" href="${addressOf(page)}${PAY_REST}">${AGREEMENT_TEXTS.payRest} <span class="whole">(${formatReais(openCentavos)})</span></a></p>`;
}

/** The instalments, what the agreement is about, and the form that moves a date. */
export const agreementFacts = (page: ButtonPage, agreement: AgreementOnPage): Html => html`<h2>${list.heading}</h2>
<ol class="instalments">${agreement.instalments.map(
  (one) => html`<li class="${one.status === 'LATE' ? 'late' : ''}">${instalmentState(one)}</li>`,
)}</ol>
<p class="small">${PAY_EARLY}</p>
${moveForm(page, agreement)}
<h2>${labels.heading}</h2>
<dl>
<dt>${labels.total}</dt><dd>${formatReais(agreement.totalCentavos)}</dd>
${agreement.discountCentavos === 0 ? undefined : html`<dt>${labels.discount}</dt><dd>${formatReais(agreement.discountCentavos)}</dd>`}
<dt>${labels.paid}</dt><dd>${formatReais(agreement.paidCentavos)}</dd>
<dt>${labels.open}</dt><dd>${formatReais(agreement.openCentavos)}</dd>
<dt>${labels.debts}</dt><dd>${agreement.invoices.map((invoice) => PERSON_TEXTS.debt.name(invoice)).join(', ')}</dd>
<dt>${labels.protocol}</dt><dd>${agreement.protocol}</dd>
</dl>
<p><a class="button plain" href="${agreement.url}">${labels.term}</a></p>`;

function instalmentState({ amountCentavos, openCentavos, status, paidOn, dueDate }: InstalmentState): string {
  const state = list.state[status](formatCalendarDate(paidOn ?? dueDate));
  const isPart = openCentavos > 0 && openCentavos < amountCentavos;
  return `${formatReais(amountCentavos)}, ${state}${isPart ? ` (${list.openPart(formatReais(openCentavos))})` : ''}`;
}

function moveForm(page: ButtonPage, { movable, movesLeft, protocol }: AgreementOnPage): Html | undefined {
  const [first] = movable;
  if (first === undefined) return undefined;
  const last = movable
    .map(({ until }) => until)
    .toSorted()
    .at(-1)!;
  return html`<details class="fold"><summary>${words.summary}</summary>
<p class="small">${words.text(movesLeft)}</p>
<form method="post" action="${addressOf(page)}/agreement/move">
<input type="hidden" name="protocol" value="${protocol}">
<label for="instalment-${protocol}">${words.instalment}</label>
<select id="instalment-${protocol}" name="instalment">${movable.map(
    ({ number, until }) => html`<option value="${number}">${words.choice(number, until)}</option>`,
  )}</select>
<label for="to-${protocol}">${words.to}</label>
<input id="to-${protocol}" type="date" name="to" required min="${first.from}" max="${last}">
<button type="submit">${words.confirm}</button>
</form>
</details>`;
}
