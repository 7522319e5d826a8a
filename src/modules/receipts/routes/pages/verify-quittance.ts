import { formatReais } from '../../../../kernel/money.ts';
import { localMoment } from '../../../../kernel/texts/format.ts';
import { TEST_MARK } from '../../../../kernel/texts/sandbox-mark.ts';
import { html } from '../../../../platform/http/pages/html.ts';
import { publicPage } from '../../../../platform/http/pages/public-page.ts';
import { VERIFY_TEXTS } from '../../texts/verify.ts';
import { VERIFY_QUITTANCE_TEXTS as WORDS } from '../../texts/verify-quittance.ts';
import type { VerifiedQuittance } from '../../use-cases/quittance-document.ts';
import { partyRows, row, toRights } from './verify.ts';

const fields = { ...VERIFY_TEXTS.fields, ...WORDS.fields };

/** The public page that confirms an annual quittance. It names no bill, and no more of the debtor than that of a receipt. */
export function verifyQuittancePage(quittance: VerifiedQuittance): string {
  const { protocol, year, sandbox, issuedAt, revokedAt, revokedReason, facts, sha256 } = quittance;
  const { creditor, debtor, bills, earlierOwed, utcOffset } = facts;
  const [strong, rest] =
    revokedAt === null
      ? WORDS.authentic(year)
      : VERIFY_TEXTS.revokedDeclaration(
          localMoment(revokedAt, utcOffset).date,
          revokedReason,
          WORDS.provesNoMore(year),
        );
  const total = bills.reduce((sum, { paidCentavos }) => sum + paidCentavos, 0);
  return publicPage({
    title: WORDS.title(revokedAt !== null, protocol),
    kind: 'verify',
    body: html`<main>
${sandbox ? html`<p class="test">${TEST_MARK}</p>` : undefined}
<h1>${WORDS.heading}</h1>
<p class="verdict ${revokedAt === null ? 'authentic' : 'revoked'}"><strong>${strong}</strong>${rest}</p>
<dl>
${row(fields.protocol, html`<span class="code">${protocol}</span>`)}
${row(fields.year, String(year))}
${partyRows(creditor, debtor)}
${row(fields.bills, String(bills.length))}
${row(fields.total, formatReais(total))}
${earlierOwed.length === 0 ? undefined : row(fields.excepted, String(earlierOwed.length))}
${row(fields.issuedAt, VERIFY_TEXTS.moment(localMoment(issuedAt, utcOffset)))}
${sha256 === null ? undefined : row(fields.sha256, html`<span class="code">${sha256}</span>`)}
</dl>
${
  sha256 === null
    ? html`<p class="note">${WORDS.erased}</p>`
    : html`<p><a class="button" href="${quittance.downloadUrl}">${WORDS.download}</a></p>
<p class="note">${WORDS.compare}</p>`
}
${toRights(quittance.rightsUrl)}
</main>`,
  });
}
