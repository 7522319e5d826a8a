import { formatCnpj } from '../../../../kernel/cnpj.ts';
import { formatReais } from '../../../../kernel/money.ts';
import { isOutside } from '../../../../kernel/payment-providers.ts';
import { isRevoked } from '../../../../kernel/revoked-reasons.ts';
import { taxIdOf } from '../../../../kernel/tax-id.ts';
import { formatCalendarDate, localMoment } from '../../../../kernel/texts/format.ts';
import { maskName } from '../../../../kernel/texts/mask-name.ts';
import { RIGHTS_LINK } from '../../../../kernel/texts/rights.ts';
import { TEST_MARK } from '../../../../kernel/texts/sandbox-mark.ts';
import { type Html, html } from '../../../../platform/http/pages/html.ts';
import { publicPage } from '../../../../platform/http/pages/public-page.ts';
import { VERIFY_TEXTS } from '../../texts/verify.ts';
import type { VerifiedReceipt } from '../../use-cases/verify-receipt.ts';

const { fields } = VERIFY_TEXTS;

export const row = (label: string, value: Html | string): Html => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;

function verdict({ kind, revokedAt, revokedReason, restoredAt, facts }: VerifiedReceipt): Html {
  const words = VERIFY_TEXTS[kind];
  const dateOf = (moment: Date): string => localMoment(moment, facts.utcOffset).date;
  if (revokedAt !== null && restoredAt === null) {
    const [strong, rest] = VERIFY_TEXTS.revoked(words.name, dateOf(revokedAt), revokedReason, words.provesNoMore);
    return html`<p class="verdict revoked"><strong>${strong}</strong>${rest}</p>`;
  }
  const [strong, rest] = words.authentic;
  const authentic = html`<p class="verdict authentic"><strong>${strong}</strong>${rest}</p>`;
  if (revokedAt === null || restoredAt === null) return authentic;
  const restored = VERIFY_TEXTS.restored(dateOf(revokedAt), revokedReason, dateOf(restoredAt), words.validAgain);
  return html`${authentic}
<p class="note">${restored}</p>`;
}

const whole = (
  downloadUrl: string,
  download: string,
): Html => html`<p><a class="button" href="${downloadUrl}">${download}</a></p>
<p class="note">${VERIFY_TEXTS.compare}</p>`;

const shortened = (at: Date, utcOffset: number): Html =>
  html`<p class="note">${VERIFY_TEXTS.shortened(localMoment(at, utcOffset).date)}</p>`;

/** The two parties of a document. The debtor is shown in part, and not at all once they were erased. */
export const partyRows = (
  creditor: VerifiedReceipt['facts']['creditor'],
  debtor: VerifiedReceipt['facts']['debtor'] | null,
): Html => html`${row(fields.creditor, creditor.name)}
${creditor.cnpj === null ? undefined : row(fields.cnpj, formatCnpj(creditor.cnpj))}
${
  debtor == null
    ? row(fields.debtor, fields.debtorErased)
    : html`${row(fields.debtor, maskName(debtor.name) || fields.debtorUnnamed)}
${row(taxIdOf(debtor).kind, taxIdOf(debtor).masked)}`
}`;

/** The way of the debtor to their page of rights, which asks for digits of the CPF before it shows anything. */
export const toRights = (url: string | null): Html | undefined =>
  url === null ? undefined : html`<p class="note">${VERIFY_TEXTS.rights} <a href="${url}">${RIGHTS_LINK}</a></p>`;

/** The public page that confirms a receipt. It shows no more of the debtor than the document, and that only in part. */
export function verifyPage(receipt: VerifiedReceipt): string {
  const { protocol, facts, issuedAt, sha256, downloadUrl, rightsUrl, shortenedAt } = receipt;
  const words = VERIFY_TEXTS[receipt.kind];
  const { creditor, debtor, debt, payment, utcOffset } = facts;
  const paid = localMoment(new Date(payment.paidAt), utcOffset);
  const issued = localMoment(issuedAt, utcOffset);
  return publicPage({
    title: VERIFY_TEXTS.title(words.name, isRevoked(receipt), protocol),
    kind: 'verify',
    body: html`<main>
${facts.sandbox ? html`<p class="test">${TEST_MARK}</p>` : undefined}
<h1>${words.heading}</h1>
${verdict(receipt)}
<dl>
${row(fields.protocol, html`<span class="code">${protocol}</span>`)}
${partyRows(creditor, debtor)}
${row(fields.amount, formatReais(payment.amountCentavos))}
${row(fields.paidAt, isOutside(payment) ? paid.date : VERIFY_TEXTS.moment(paid))}
${receipt.kind === 'instalment' ? undefined : row(fields.dueDate, formatCalendarDate(debt.dueDate))}
${row(words.issuedAt, VERIFY_TEXTS.moment(issued))}
${row(fields.sha256, html`<span class="code">${sha256}</span>`)}
</dl>
${shortenedAt === null ? whole(downloadUrl, words.download) : shortened(shortenedAt, utcOffset)}
${toRights(rightsUrl)}
</main>`,
  });
}
