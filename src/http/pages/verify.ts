import { formatCalendarDate, localMoment } from '../../documents/format.ts';
import { maskName } from '../../documents/mask-name.ts';
import { formatCnpj } from '../../domain/cnpj.ts';
import { formatReais } from '../../domain/money.ts';
import type { VerifiedReceipt } from '../../services/receipts/read-receipt.ts';
import { type Html, html } from './html.ts';
import { publicPage } from './public-page.ts';

const BECAUSE = {
  refund: 'o valor foi devolvido integralmente a quem pagou',
  chargeback: 'o pagamento foi contestado e o valor retirado da conta do credor',
} as const;

const row = (label: string, value: Html | string): Html => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;

function verdict({ revokedAt, revokedReason, facts }: VerifiedReceipt): Html {
  if (revokedAt === null) {
    return html`<p class="verdict authentic"><strong>Termo autêntico.</strong> Ele foi emitido pelo credor abaixo e a dívida está quitada.</p>`;
  }
  const because = revokedReason === null ? '' : `, porque ${BECAUSE[revokedReason]}`;
  return html`<p class="verdict revoked"><strong>Termo revogado em ${localMoment(revokedAt, facts.utcOffset).date}</strong>${because}. Ele foi emitido pelo credor abaixo, mas não comprova mais a quitação da dívida.</p>`;
}

const whole = (
  downloadUrl: string,
): Html => html`<p><a class="button" href="${downloadUrl}">Baixar o termo em PDF</a></p>
<p class="note">Confira se o protocolo, o valor e a data desta página são os mesmos do documento que você recebeu. Dados do devedor aparecem só em parte, para proteger a privacidade dele.</p>`;

const shortened = (at: Date, utcOffset: number): Html =>
  html`<p class="note">O registro deste termo foi reduzido em ${localMoment(at, utcOffset).date}: o prazo legal de guarda terminou e os dados do devedor foram apagados a pedido dele. Por isso o PDF não está mais disponível aqui. Confira se o protocolo, o valor, a data e o SHA-256 desta página são os do documento que você guardou.</p>`;

/** The public page that confirms a receipt. It shows no more of the debtor than the document, and that only in part. */
export function verifyPage(receipt: VerifiedReceipt): string {
  const { protocol, facts, issuedAt, sha256, downloadUrl, revokedAt, shortenedAt } = receipt;
  const { creditor, debtor, debt, payment, utcOffset } = facts;
  const paid = localMoment(new Date(payment.paidAt), utcOffset);
  const issued = localMoment(issuedAt, utcOffset);
  const moment = ({ date, time, offset }: typeof paid): string => `${date}, às ${time} (${offset})`;
  return publicPage({
    title: `${revokedAt === null ? 'Termo autêntico' : 'Termo revogado'} · ${protocol}`,
    kind: 'verify',
    body: html`<main>
${facts.sandbox ? html`<p class="test">DOCUMENTO DE TESTE, SEM VALOR</p>` : undefined}
<h1>Verificação do Termo de Quitação</h1>
${verdict(receipt)}
<dl>
${row('Protocolo', html`<span class="code">${protocol}</span>`)}
${row('Credor', creditor.name)}
${creditor.cnpj === null ? undefined : row('CNPJ do credor', formatCnpj(creditor.cnpj))}
${
  debtor === undefined
    ? row('Devedor', 'dados apagados')
    : html`${row('Devedor', maskName(debtor.name) || 'não informado')}
${row('CPF', debtor.cpfMasked)}`
}
${row('Valor pago', formatReais(payment.amountCentavos))}
${row('Pago em', moment(paid))}
${row('Vencimento da dívida', formatCalendarDate(debt.dueDate))}
${row('Termo emitido em', moment(issued))}
${row('SHA-256 do arquivo', html`<span class="code">${sha256}</span>`)}
</dl>
${shortenedAt === null ? whole(downloadUrl) : shortened(shortenedAt, utcOffset)}
</main>`,
  });
}
