import { formatReais } from '../../../../kernel/money.ts';
import { localMoment } from '../../../../kernel/texts/format.ts';
import { TEST_MARK } from '../../../../kernel/texts/sandbox-mark.ts';
import { html } from '../../../../platform/http/pages/html.ts';
import { publicPage } from '../../../../platform/http/pages/public-page.ts';
import { VERIFY_TEXTS } from '../../texts/verify.ts';
import { VERIFY_AGREEMENT_TEXTS } from '../../texts/verify-agreement.ts';
import type { VerifiedAgreement } from '../../use-cases/verify-agreement.ts';
import { partyRows, row, toRights } from './verify.ts';

const fields = { ...VERIFY_TEXTS.fields, ...VERIFY_AGREEMENT_TEXTS.fields };

/** The public page that confirms a Termo de Acordo. It shows no more of the debtor than that of a receipt. */
export function verifyAgreementPage(agreement: VerifiedAgreement): string {
  const { protocol, sandbox, situation, creditor, debtor, sha256, downloadUrl, instalments } = agreement;
  const words = VERIFY_AGREEMENT_TEXTS;
  const [strong, rest] = words.authentic;
  return publicPage({
    title: words.title(protocol),
    kind: 'verify',
    body: html`<main>
${sandbox ? html`<p class="test">${TEST_MARK}</p>` : undefined}
<h1>${words.heading}</h1>
<p class="verdict authentic"><strong>${strong}</strong>${rest} ${words.notes[situation]}</p>
<dl>
${row(fields.protocol, html`<span class="code">${protocol}</span>`)}
${row(fields.situation, words.situations[situation])}
${partyRows(creditor, debtor)}
${row(fields.total, formatReais(agreement.totalCentavos))}
${row(fields.instalments, instalments === 1 ? words.single : String(instalments))}
${row(fields.acceptedAt, VERIFY_TEXTS.moment(localMoment(agreement.acceptedAt, agreement.utcOffset)))}
${sha256 === null || debtor === null ? undefined : row(fields.sha256, html`<span class="code">${sha256}</span>`)}
</dl>
${
  debtor === null
    ? html`<p class="note">${words.erased}</p>`
    : html`<p><a class="button" href="${downloadUrl}">${words.download}</a></p>
<p class="note">${words.compare}</p>`
}
${toRights(agreement.rightsUrl)}
</main>`,
  });
}
