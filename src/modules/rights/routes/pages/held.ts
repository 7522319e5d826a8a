import { formatCnpj } from '../../../../kernel/cnpj.ts';
import { formatReais } from '../../../../kernel/money.ts';
import { areaCodeOf, displayOffset } from '../../../../kernel/phone.ts';
import { formatCalendarDate, localMoment } from '../../../../kernel/texts/format.ts';
import { maskEmail } from '../../../../kernel/texts/mask-email.ts';
import { maskPhone } from '../../../../kernel/texts/mask-phone.ts';
import { METHOD_PHRASES } from '../../../../kernel/texts/payment-methods.ts';
import { type Html, html } from '../../../../platform/http/pages/html.ts';
import { STATUS_NAMES } from '../../../debts/texts/names.ts';
import { channelName, listingWords, RIGHTS_TEXTS } from '../../texts/rights-page.ts';
import { whyAllowed } from '../../texts/why-allowed.ts';
import type { HeldData } from '../../use-cases/read-rights.ts';

const { data, score, contacts, listings, money } = RIGHTS_TEXTS;

/** The place of the person, by which days and hours are shown. */
export const offsetOf = ({ phones: [phone = ''] }: Pick<HeldData, 'phones'>): number =>
  displayOffset(areaCodeOf(phone));

export const dayOf = (moment: Date, held: Pick<HeldData, 'phones'>): string => localMoment(moment, offsetOf(held)).date;

/** The page shows so many of each; the copy has all of them. */
const MOST_SHOWN = 200;

const shownOf = <One>(all: readonly One[]): readonly One[] => all.slice(0, MOST_SHOWN);

const restOf = (all: readonly unknown[]): Html | undefined =>
  all.length > MOST_SHOWN ? html`<p class="small">${data.more(all.length - MOST_SHOWN)}</p>` : undefined;

/** Shows the first ones, and says how many more the copy has. */
const firstOf = <One>(all: readonly One[], show: (one: One) => Html): Html =>
  html`${shownOf(all).map(show)}${restOf(all)}`;

export const firstInList = <One>(all: readonly One[], show: (one: One) => Html): Html =>
  html`<ul class="plain-list">${shownOf(all).map(show)}</ul>${restOf(all)}`;

const listed = (values: readonly string[]): string => (values.length === 0 ? data.none : values.join(', '));

/** What is held of the person, and where it came from. */
export const heldData = (
  held: HeldData,
): Html => html`<section aria-labelledby="dados"><h2 id="dados">${data.heading}</h2>
<dl>
<dt>${data.name}</dt><dd>${held.name}</dd>
<dt>${held.taxId.kind}</dt><dd>${held.taxId.masked}</dd>
<dt>${data.phones}</dt><dd>${listed(held.phones.map(maskPhone))}</dd>
<dt>${data.emails}</dt><dd>${listed(held.emails.map(maskEmail))}</dd>
</dl>
<p>${data.from(creditorOf(held), dayOf(held.debts[0]!.importedAt, held))}</p>
<p>${data.ground[held.creditor.lawfulGround ?? 'none']}</p>
<h3>${data.debts}</h3>
${firstOf(
  held.debts,
  (
    debt,
  ) => html`<details class="fold"><summary>${data.debt(debt.invoiceId)}: ${formatReais(debt.amountCentavos)}</summary>
<dl>
${debt.description === null ? undefined : html`<dt>${data.what}</dt><dd>${debt.description}</dd>`}
<dt>${data.amount}</dt><dd>${formatReais(debt.amountCentavos)}</dd>
<dt>${data.owed}</dt><dd>${formatReais(debt.owedCentavos)}</dd>
<dt>${data.due}</dt><dd>${formatCalendarDate(debt.dueDate)}</dd>
<dt>${data.state}</dt><dd>${STATUS_NAMES[debt.status]}</dd>
</dl>
${debt.consentAt === null ? undefined : html`<p>${data.consent(formatCalendarDate(debt.consentAt.slice(0, 10)), debt.consentSource)}</p>`}
</details>`,
)}
</section>`;

const creditorOf = ({ creditor: { name, cnpj } }: HeldData): string =>
  cnpj === null ? name : `${name} (CNPJ ${formatCnpj(cnpj)})`;

/** The score of each debt as a sum that anybody can check, and what it decides and does not decide. */
export const scores = ({ debts }: HeldData): Html => {
  const scored = debts.filter((debt) => debt.score !== null && debt.scoreReasons !== null);
  return html`<section aria-labelledby="nota"><h2 id="nota">${score.heading}</h2>
${
  scored.length === 0
    ? html`<p>${score.none}</p>`
    : html`<p>${score.text}</p>
${firstOf(
  scored,
  (debt) => html`<details class="fold"><summary>${data.debt(debt.invoiceId)}: ${score.total(debt.score ?? 0)}</summary>
<dl>${(debt.scoreReasons ?? []).map(({ text, points }) => html`<dt>${text}</dt><dd>${score.points(points)}</dd>`)}</dl>
</details>`,
)}`
}
<p>${score.decides}</p>
<p>${score.decidesNot}</p>
<p>${score.notUsed}</p>
</section>`;
};

/** Every message, with the rules that it passed before it was sent. */
export const contactList = (
  held: HeldData,
): Html => html`<section aria-labelledby="mensagens"><h2 id="mensagens">${contacts.heading}</h2>
<p>${contacts.text}</p>
${
  held.contacts.length === 0
    ? html`<p>${contacts.none}</p>`
    : html`<ul class="plain-list">${held.contacts.map((contact) => contactItem(contact, held))}</ul>`
}
${held.hasMoreContacts ? html`<p class="small">${contacts.more}</p>` : undefined}
</section>`;

type Contact = HeldData['contacts'][number];

function contactItem(contact: Contact, held: HeldData): Html {
  const { at, channel, direction, text, delivery } = contact;
  const { date, time } = localMoment(at, offsetOf(held));
  const isOut = direction === 'out';
  const who = isOut ? contacts.sent(channelName(channel)) : contacts.received(channelName(channel));
  const why = isOut ? whyAllowed(contact, held.bases) : [];
  return html`<li><p><strong>${date}, ${time.slice(0, 5)}</strong><br>${who}</p>
${delivery === 'failed' ? html`<p class="small">${contacts.failed}</p>` : undefined}
<details class="fold"><summary>${contacts.words}</summary><p class="said">${text === '' ? contacts.erased : text}</p></details>
${
  why.length === 0
    ? undefined
    : html`<details class="fold"><summary>${contacts.rules}</summary><ul>${why.map(
        ({ says, source }) =>
          html`<li>${says}${source === null ? undefined : html`<br><span class="small">${contacts.law(source)}</span>`}</li>`,
      )}</ul></details>`
}</li>`;
}

/** What the client says that it has listed at credit bureaus. */
export const listingList = (
  held: HeldData,
): Html => html`<section aria-labelledby="cadastros"><h2 id="cadastros">${listings.heading}</h2>
<p>${listings.text}</p>
${
  held.listings.length === 0
    ? html`<p>${listings.none}</p>`
    : firstInList(
        held.listings,
        (one) =>
          html`<li>${listingWords(one, (moment) => dayOf(moment, held)).map((words) => html`<p>${words}</p>`)}</li>`,
      )
}
<p class="small">${listings.rule}</p>
</section>`;

/** Agreements, payments, receipts and annual quittances. */
export const moneyList = (
  held: HeldData,
): Html => html`<section aria-labelledby="dinheiro"><h2 id="dinheiro">${money.heading}</h2>
${held.agreements.length + held.payments.length + held.quittances.length === 0 ? html`<p>${money.none}</p>` : undefined}
${firstOf(
  held.agreements,
  ({ protocol, status, totalCentavos, instalments, acceptedAt, url }) => html`<h3>${money.agreement(protocol)}</h3>
<p>${money.total(formatReais(totalCentavos), instalments.length)} (${money.states[status] ?? status}). ${money.accepted(dayOf(acceptedAt, held))}</p>
<p><a href="${url}">${money.download}</a></p>`,
)}
${firstOf(
  held.payments,
  ({
    paidCentavos,
    paidAt,
    refundedCentavos,
    method,
    receiptUrl,
  }) => html`<p>${money.paid(`${formatReais(paidCentavos)} ${METHOD_PHRASES[method ?? 'pix']}`, paidAt === null ? '' : dayOf(paidAt, held))}
${refundedCentavos > 0 ? html`<br>${money.refunded(formatReais(refundedCentavos))}` : undefined}
${receiptUrl === null ? undefined : html`<br><a href="${receiptUrl}">${money.receipt}</a>`}</p>`,
)}
${firstOf(
  held.quittances,
  ({ year, revokedAt, url }) => html`<p>${revokedAt === null ? money.quittance(year) : money.quittanceRevoked(year)}
<br><a href="${url}">${money.quittanceDownload}</a></p>`,
)}
</section>`;
