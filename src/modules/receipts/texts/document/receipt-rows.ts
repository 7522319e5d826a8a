import { formatReais } from '../../../../kernel/money.ts';
import { isOutside, REAL_PROVIDERS } from '../../../../kernel/payment-providers.ts';
import { formatCalendarDate, type LocalMoment, localMoment } from '../../../../kernel/texts/format.ts';
import { METHOD_NAMES, METHOD_PHRASES } from '../../../../kernel/texts/payment-methods.ts';
import type { Component } from '../../../terms/rules/credits.ts';
import type { Centavos } from '../../../terms/rules/owed-on.ts';
import { COMPONENT_NAMES, COMPONENTS_SHOWN } from '../../../terms/texts/components.ts';
import type { PaidOfAgreement } from '../../rules/paid-instalments.ts';
import { clock } from './frame-words.ts';
import type { Row } from './layout.ts';
import { type EarlierPayment, type ReceiptData, sumOf } from './receipt-data.ts';

type Payment = ReceiptData['payment'];

const PROVIDERS: Readonly<Record<string, string>> = {
  ...REAL_PROVIDERS,
  sandbox: 'simulador de pagamentos',
};

export function debtRows({ debt, payment }: ReceiptData): Row[] {
  const rows: Row[] = [{ label: 'Natureza', value: debt.description ?? 'Fatura ou outro crédito do credor' }];
  if (debt.invoiceId) rows.push({ label: 'Fatura ou documento', value: debt.invoiceId });
  rows.push(
    { label: 'Vencimento', value: formatCalendarDate(debt.dueDate) },
    { label: 'Principal', value: formatReais(debt.originalAmountCentavos) },
    ...(payment.open === undefined ? settledRows(debt.originalAmountCentavos, payment) : openRows(payment.open)),
  );
  return rows;
}

/** The agreement that a payment was made for. Its debts are named by the Termo de Acordo. */
export const agreementRows = ({ protocol, totalCentavos, count, paid, openCentavos }: PaidOfAgreement): Row[] => [
  { label: 'Termo de Acordo', value: protocol },
  { label: 'Valor do acordo', value: formatReais(totalCentavos) },
  { label: 'Parcelas', value: count === 1 ? 'Pagamento único' : String(count) },
  ...(paid.length === 0
    ? []
    : [{ label: 'Falta do acordo, depois deste pagamento', value: formatReais(openCentavos), strong: true }]),
];

function instalmentRows({ paid, count }: PaidOfAgreement): Row[] {
  if (paid.length === 0) return [];
  const one = ({ number, dueDate, amountCentavos, isWhole }: PaidOfAgreement['paid'][number]): string =>
    `${isWhole ? '' : 'parte da '}${number}ª de ${count}, com vencimento em ${formatCalendarDate(dueDate)} (${formatReais(amountCentavos)})`;
  const value = paid.map(one).join('; ');
  return [{ label: paid.length === 1 ? 'Parcela' : 'Parcelas', value: value.charAt(0).toUpperCase() + value.slice(1) }];
}

/** What was paid of the debt. Without charges that is its principal. */
function settledRows(originalCentavos: number, payment: Payment): Row[] {
  const { amountCentavos, credited, waivedCentavos = 0, agreement } = payment;
  const { principal, ...charges } = credited ?? { principal: originalCentavos, fine: 0, interest: 0, correction: 0 };
  const paid = sumOf({ principal, ...charges });
  const excess = amountCentavos - paid;
  const isCharged = paid > principal;
  return [
    ...(principal === originalCentavos ? [] : [{ label: 'Principal pago', value: formatReais(principal) }]),
    ...(isCharged
      ? chargeRows({ principal, ...charges })
      : [{ label: 'Juros, multa e encargos', value: formatReais(0) }]),
    { label: waivedCentavos > 0 ? 'Total pago da dívida' : 'Total da dívida', value: formatReais(paid), strong: true },
    ...waivedRows(waivedCentavos, agreement),
    ...(excess > 0 ? [{ label: 'Valor pago acima da dívida', value: formatReais(excess), strong: true }] : []),
  ];
}

/** What an agreement gave up is its discount, and the charges that would have gone on while it was kept. */
function waivedRows(waivedCentavos: number, agreement: Payment['agreement']): Row[] {
  const row = (label: string, centavos: number): Row[] =>
    centavos > 0 ? [{ label, value: formatReais(centavos), strong: true }] : [];
  if (agreement === undefined) return row('Desconto ou encargos dispensados pelo credor', waivedCentavos);
  const discount = Math.min(waivedCentavos, agreement.discountCentavos);
  return [
    ...row(`Desconto do acordo ${agreement.protocol}`, discount),
    ...row('Encargos do período do acordo, dispensados pelo credor', waivedCentavos - discount),
  ];
}

const shown = (parts: Centavos): Component[] => COMPONENTS_SHOWN.filter((component) => parts[component] > 0);

const chargeRows = (credited: Centavos): Row[] =>
  shown({ ...credited, principal: 0 }).map((component) => ({
    label: COMPONENT_NAMES[component],
    value: formatReais(credited[component]),
  }));

const sentenceOf = (parts: Centavos): string =>
  shown(parts)
    .map((component) => `${COMPONENT_NAMES[component]} ${formatReais(parts[component])}`)
    .join('; ');

const openRows = (open: NonNullable<Payment['open']>): Row[] => [
  {
    label: `Em aberto em ${formatCalendarDate(open.on)}, depois deste pagamento`,
    value: formatReais(sumOf(open)),
    strong: true,
  },
  { label: 'O que ficou em aberto', value: sentenceOf(open) },
];

type PartOf = Pick<EarlierPayment, 'method' | 'byAgreement'>;

/** The payments that make up the amount, when there was more than one. */
function partRows({ payment, utcOffset }: ReceiptData, paid: LocalMoment): Row[] {
  const earlier = payment.earlier ?? [];
  if (earlier.length === 0) return [];
  const last = payment.amountCentavos - earlier.reduce((sum, { amountCentavos }) => sum + amountCentavos, 0);
  const { agreement, method } = payment;
  const isLastByAgreement = agreement !== undefined;
  // Payments before an agreement, or after its end, were not made by it.
  const isMixed = earlier.some(({ byAgreement = false }) => byAgreement !== isLastByAgreement);
  const part = (centavos: number, { method, byAgreement }: PartOf, { date }: LocalMoment): string =>
    `${formatReais(centavos)} ${METHOD_PHRASES[method]}, em ${date}${isMixed && byAgreement ? ', pelo acordo' : ''}`;
  const parts = earlier.map((one) => part(one.amountCentavos, one, localMoment(one.paidAt, utcOffset)));
  const label = agreement === undefined || isMixed ? 'Pagamentos' : `Pagamentos pelo acordo ${agreement.protocol}`;
  return [{ label, value: [...parts, part(last, { method, byAgreement: isLastByAgreement }, paid)].join('; ') }];
}

export function paymentRows(data: ReceiptData, paid: LocalMoment): Row[] {
  const { creditor, payment } = data;
  const where = creditor.address ? ` (${creditor.address})` : '';
  const method = METHOD_NAMES[payment.method];
  const provider = PROVIDERS[payment.provider] ?? payment.provider;
  const rows: Row[] = [
    { label: 'Valor pago', value: formatReais(payment.amountCentavos), strong: true },
    ...partRows(data, paid),
    ...(payment.instalments === undefined ? [] : instalmentRows(payment.instalments)),
    ...(payment.open !== undefined && payment.credited !== undefined
      ? [{ label: 'O que este pagamento abateu', value: sentenceOf(payment.credited) }]
      : []),
    ...(isOutside(payment)
      ? [
          // No provider has confirmed the hour, so the document states the day that the creditor gives.
          { label: 'Data', value: paid.date },
          { label: 'Forma', value: `${method}, recebido diretamente pelo credor` },
          { label: 'Lugar', value: `Com o credor${where}` },
        ]
      : [
          { label: 'Data e hora', value: clock(paid) },
          { label: 'Forma', value: `${method}, por ${provider}` },
          { label: 'Lugar', value: `Por meio eletrônico, com crédito em conta do credor${where}` },
        ]),
    {
      label: 'Quem pagou',
      value: payment.payerName ?? 'O devedor, ou terceiro por ele',
    },
  ];
  return rows;
}
