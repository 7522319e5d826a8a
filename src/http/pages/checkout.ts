import { formatCalendarDate, localMoment } from '../../documents/format.ts';
import { qrSvg } from '../../documents/qr.ts';
import { formatCnpj } from '../../domain/cnpj.ts';
import { formatReais } from '../../domain/money.ts';
import type { CheckoutNotice } from '../../services/payments/checkout-notices.ts';
import type { Checkout } from '../../services/payments/open-checkout.ts';
import { Html, html } from './html.ts';
import { publicPage } from './public-page.ts';

export const CHECKOUT_SCRIPT_PATH = '/assets/checkout.js';
/** The UTC offset of Brasília, which the page names. */
const UTC_OFFSET = -3;

/**
 * The notice that the page shows once after a button. The address contains only the key of the notice, not its text.
 */
const NOTICES: Readonly<Record<CheckoutNotice, string>> = {
  'said-paid': 'Obrigado por avisar. Registramos o seu aviso e, enquanto ele é conferido, não enviamos cobranças.',
  dispute: 'Registramos que você não reconhece esta cobrança. As mensagens param até a análise.',
  'opt-out': 'Pedido registrado. Você não receberá mais mensagens de cobrança.',
  pay: 'Pagamento de teste enviado. A confirmação aparece aqui em instantes.',
  repeated: 'Este aviso já tinha sido recebido hoje. Não é preciso enviar de novo.',
};

/**
 * The page is rendered on the server and complete without JavaScript; the script copies, polls and refreshes `main`.
 */
export async function checkoutPage(checkout: Checkout): Promise<string> {
  const { status, code, receiptUrl, notice } = checkout;
  const receipt = status !== 'APPROVED' ? 'none' : receiptUrl === null ? 'waiting' : 'ready';
  return publicPage({
    title: `Pagamento · ${checkout.creditor.name}`,
    kind: 'checkout',
    scriptPath: CHECKOUT_SCRIPT_PATH,
    body: html`${checkout.sandbox ? html`<p class="test">DOCUMENTO DE TESTE, SEM VALOR</p>` : undefined}
<main id="page" data-debt="${checkout.debtId}" data-status="${status}" data-receipt="${receipt}" data-expires="${code?.expiresAt.toISOString() ?? ''}">
${notice === null ? undefined : html`<p class="notice" role="status">${NOTICES[notice]}</p>`}
${status === 'APPROVED' ? paid(checkout) : await unpaid(checkout)}
${details(checkout)}
${status === 'APPROVED' || status === 'CANCELLED' ? undefined : buttons(checkout)}
</main>
<p id="live" role="status" aria-live="polite" class="live"></p>
${privacy(checkout)}`,
  });
}

/** The page after a visitor has said to be another person: it shows no creditor, no name and no amount. */
export const nothingPage = (): string =>
  publicPage({
    title: 'Nada para mostrar',
    kind: 'checkout',
    body: html`<main><h1>Nada para mostrar</h1>
<p>Não há nada para mostrar neste endereço. Se você recebeu o link por engano, pode ignorá-lo.</p></main>`,
  });

const paid = ({ receiptUrl }: Checkout): Html => html`<h1 class="paid">Pagamento confirmado</h1>
${
  receiptUrl === null
    ? html`<p>Obrigado! O termo de quitação está sendo preparado e aparece aqui em instantes.</p>`
    : html`<p>Obrigado! Esta conta está quitada.</p><p><a class="button" href="${receiptUrl}">Baixar o termo de quitação (PDF)</a></p>`
}`;

async function unpaid(checkout: Checkout): Promise<Html> {
  const { creditor, code, codeMissing, status, amountCentavos } = checkout;
  if (status === 'CANCELLED') {
    return html`<h1>Cobrança encerrada</h1><p>${creditor.name} encerrou esta cobrança. Não há nada a pagar por aqui.</p>`;
  }
  const title = html`<h1>Pague com Pix</h1><p class="amount">${formatReais(amountCentavos)}</p><p>para ${creditor.name}</p>`;
  if (codeMissing === 'client') {
    return html`${title}<p class="notice">Recebemos um pagamento menor que o valor da conta. A equipe de ${creditor.name} vai dizer como seguir; até lá, não é preciso pagar nada por aqui.</p>`;
  }
  if (code === null) {
    return html`${title}<p class="notice">Não foi possível gerar o código Pix agora. <a href="/checkout/${checkout.debtId}">Tente de novo em instantes</a>.</p>`;
  }
  const { date, time } = localMoment(code.expiresAt, UTC_OFFSET);
  return html`${title}
${status === 'REJECTED' ? html`<p class="notice">O último pagamento não foi aceito pelo banco. Você pode tentar de novo.</p>` : undefined}
<div class="qr" role="img" aria-label="QR code do Pix">${new Html(await qrSvg(code.text))}</div>
<p>Abra o aplicativo do seu banco, escolha Pix e leia o QR code, ou use o código abaixo.</p>
<label for="code">Pix copia e cola</label>
<textarea id="code" readonly rows="4" spellcheck="false">${code.text}</textarea>
<button id="copy" type="button" hidden>Copiar código Pix</button>
<p id="copied" role="status" class="copied"></p>
<p class="small">Código válido até ${date} às ${time.slice(0, 5)} (horário de Brasília). Depois disso, abra esta página de novo para receber outro.</p>
<noscript><p class="small">Depois de pagar, <a href="/checkout/${checkout.debtId}">atualize esta página</a> para ver a confirmação.</p></noscript>
${checkout.sandbox ? action(checkout, 'pay', 'Pagar (teste)', 'primary') : undefined}`;
}

const details = ({
  creditor,
  debtorName,
  invoiceId,
  amountCentavos,
  dueDate,
  status,
}: Checkout): Html => html`<section aria-labelledby="about">
<h2 id="about">Sobre esta conta</h2>
<dl>
<dt>Quem cobra</dt><dd>${creditor.name}</dd>
${creditor.cnpj === null ? undefined : html`<dt>CNPJ</dt><dd>${formatCnpj(creditor.cnpj)}</dd>`}
${creditor.address === null ? undefined : html`<dt>Endereço</dt><dd>${creditor.address}</dd>`}
<dt>Em nome de</dt><dd>${debtorName}</dd>
${invoiceId === null ? undefined : html`<dt>Conta</dt><dd>${invoiceId}</dd>`}
<dt>${status === 'APPROVED' ? 'Valor' : 'Valor a pagar'}</dt><dd>${formatReais(amountCentavos)} (sem juros, multa nem encargos)</dd>
<dt>Vencimento</dt><dd>${formatCalendarDate(dueDate)}</dd>
</dl>
</section>`;

const action = (checkout: Checkout, name: string, label: string, kind: string): Html =>
  html`<form method="post" action="/checkout/${checkout.debtId}/${name}"><button type="submit" class="${kind}">${label}</button></form>`;

const buttons = (checkout: Checkout): Html => html`<section aria-labelledby="other" class="other">
<h2 id="other">Outra situação?</h2>
${action(checkout, 'said-paid', 'Já paguei', 'plain')}
${checkout.disputed ? html`<p>Você disse que não reconhece esta cobrança.</p>` : action(checkout, 'dispute', 'Não reconheço esta cobrança', 'plain')}
${checkout.optedOut ? html`<p>Você não receberá mais mensagens de cobrança.</p>` : action(checkout, 'opt-out', 'Não quero mais mensagens', 'plain')}
</section>`;

const privacy = ({ creditor }: Checkout): Html => html`<footer>
<h2>Privacidade</h2>
<p>${creditor.name}${creditor.cnpj === null ? '' : `, CNPJ ${formatCnpj(creditor.cnpj)},`} é quem decide sobre o uso dos seus dados aqui (controlador). Eles servem para cobrar e receber este pagamento, como permite a Lei Geral de Proteção de Dados (LGPD, art. 7º, X, proteção do crédito). Para acessar, corrigir ou se opor ao uso dos seus dados, ${creditor.email === null ? `responda à mensagem que trouxe você até aqui ou procure ${creditor.name} por um canal que você já conhece` : `escreva para ${creditor.email}`}.</p>
</footer>`;
