import { formatCnpj } from '../../../../kernel/cnpj.ts';
import { formatReais } from '../../../../kernel/money.ts';
import type { PaymentMethod } from '../../../../kernel/payment-methods.ts';
import { isOutside, REAL_PROVIDERS } from '../../../../kernel/payment-providers.ts';
import type { RevokedReason } from '../../../../kernel/revoked-reasons.ts';
import { taxIdOf } from '../../../../kernel/tax-id.ts';
import { formatCalendarDate, type LocalMoment, localMoment } from '../../../../kernel/texts/format.ts';
import { METHOD_NAMES, METHOD_PHRASES } from '../../../../kernel/texts/payment-methods.ts';
import type { Component } from '../../../terms/rules/credits.ts';
import type { Centavos } from '../../../terms/rules/owed-on.ts';
import { COMPONENT_NAMES, COMPONENTS_SHOWN } from '../../../terms/texts/components.ts';
import { amountInWords } from './amount-in-words.ts';
import { type ReceiptData, sumOf } from './receipt-data.ts';

type Payment = ReceiptData['payment'];

export interface Row {
  readonly label: string;
  readonly value: string;
  readonly strong?: boolean;
}

export interface Wording {
  readonly title: string;
  readonly subtitle: string;
  /** The mark beside the amount; null for a part, which settles nothing. */
  readonly settledMark: string | null;
  readonly creditorName: string;
  readonly creditorLines: readonly string[];
  readonly issuedAt: string;
  readonly amount: string;
  readonly amountInWords: string;
  readonly paidOn: string;
  readonly testNotice: string | null;
  readonly revocation: { readonly title: string; readonly body: string } | null;
  /** Set for a receipt that was revoked and is valid again. */
  readonly restoration: { readonly title: string; readonly body: string } | null;
  /** Parts with an odd index are emphasised. */
  readonly declaration: readonly string[];
  readonly debtRows: readonly Row[];
  readonly paymentRows: readonly Row[];
  /** What the reader should know beside the payment. */
  readonly note: { readonly title: string; readonly body: string };
  /** The text of the link, and what the code shows. */
  readonly verifyLink: string;
  readonly codeShows: string;
  readonly verification: string;
  readonly signature: string;
  readonly codes: string;
}

const PROVIDERS: Readonly<Record<string, string>> = {
  ...REAL_PROVIDERS,
  sandbox: 'simulador de pagamentos',
};

const REVOKED_BECAUSE: Readonly<Record<RevokedReason, string>> = {
  refund: 'o valor foi devolvido integralmente a quem pagou',
  chargeback: 'o pagamento foi contestado e o valor retirado da conta do credor',
};

export const DOCUMENT_NAMES = { settlement: 'Termo de Quitação', part: 'Recibo de pagamento parcial' } as const;

const clock = (moment: LocalMoment): string => `${moment.date}, às ${moment.time} (${moment.offset})`;

function creditorLines({ creditor }: ReceiptData): string[] {
  const lines = creditor.cnpj ? [`CNPJ ${formatCnpj(creditor.cnpj)}`] : [];
  return creditor.address ? [...lines, creditor.address] : lines;
}

function howAndWhen({ payment }: ReceiptData, paid: LocalMoment): string {
  const count = (payment.earlier ?? []).length + 1;
  const several = count === 1 ? '' : `em ${count} pagamentos, o último `;
  return `${several}${METHOD_PHRASES[payment.method]}, em ${paid.date}`;
}

function declaration(data: ReceiptData, paid: LocalMoment): string[] {
  const { creditor, debtor, payment } = data;
  const identity = creditorLines(data).join(', ');
  const taxId = taxIdOf(debtor);
  const received = [
    '',
    creditor.name,
    `${identity && ` (${identity})`} declara que recebeu de `,
    debtor.name,
    ` (${taxId.kind} ${taxId.masked}), ou de quem por ele pagou, a quantia de `,
    formatReais(payment.amountCentavos),
  ];
  const how = ` (${amountInWords(payment.amountCentavos)}), ${howAndWhen(data, paid)}, `;
  if (payment.open !== undefined) {
    return [
      ...received,
      `${how}por conta da dívida abaixo identificada. `,
      'Este recibo comprova só este pagamento e não dá quitação do restante da dívida',
      `: depois dele, em ${formatCalendarDate(payment.open.on)}, ainda ficaram em aberto `,
      formatReais(sumOf(payment.open)),
      ', com ressalva dos juros e demais encargos que sejam devidos sobre esse valor até o pagamento (Código Civil, arts. 319, 320 e 323).',
    ];
  }
  return [
    ...received,
    `${how}e por este termo lhe dá `,
    'quitação total da dívida abaixo identificada',
    ', nada mais havendo a cobrar por ela a título de principal, juros, multa, correção ou encargos (Código Civil, arts. 319 e 320).',
  ];
}

function debtRows({ debt, payment }: ReceiptData): Row[] {
  const rows: Row[] = [{ label: 'Natureza', value: debt.description ?? 'Fatura ou outro crédito do credor' }];
  if (debt.invoiceId) rows.push({ label: 'Fatura ou documento', value: debt.invoiceId });
  rows.push(
    { label: 'Vencimento', value: formatCalendarDate(debt.dueDate) },
    { label: 'Principal', value: formatReais(debt.originalAmountCentavos) },
    ...(payment.open === undefined ? settledRows(debt.originalAmountCentavos, payment) : openRows(payment.open)),
  );
  return rows;
}

/** What was paid of the debt. Without charges that is its principal. */
function settledRows(originalCentavos: number, { amountCentavos, credited, waivedCentavos = 0 }: Payment): Row[] {
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
    ...(waivedCentavos > 0
      ? [
          {
            label: 'Desconto ou encargos dispensados pelo credor',
            value: formatReais(waivedCentavos),
            strong: true,
          },
        ]
      : []),
    ...(excess > 0 ? [{ label: 'Valor pago acima da dívida', value: formatReais(excess), strong: true }] : []),
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

/** The payments that make up the amount, when there was more than one. */
function partRows({ payment, utcOffset }: ReceiptData, paid: LocalMoment): Row[] {
  const earlier = payment.earlier ?? [];
  if (earlier.length === 0) return [];
  const last = payment.amountCentavos - earlier.reduce((sum, { amountCentavos }) => sum + amountCentavos, 0);
  const part = (centavos: number, method: PaymentMethod, { date }: LocalMoment): string =>
    `${formatReais(centavos)} ${METHOD_PHRASES[method]}, em ${date}`;
  const parts = earlier.map(({ amountCentavos, method, paidAt }) =>
    part(amountCentavos, method, localMoment(paidAt, utcOffset)),
  );
  return [{ label: 'Pagamentos', value: [...parts, part(last, payment.method, paid)].join('; ') }];
}

function paymentRows(data: ReceiptData, paid: LocalMoment): Row[] {
  const { creditor, payment } = data;
  const where = creditor.address ? ` (${creditor.address})` : '';
  const method = METHOD_NAMES[payment.method];
  const provider = PROVIDERS[payment.provider] ?? payment.provider;
  const rows: Row[] = [
    { label: 'Valor pago', value: formatReais(payment.amountCentavos), strong: true },
    ...partRows(data, paid),
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

function codes({ debt, payment }: ReceiptData): string {
  const parts = [`dívida ${debt.id}`];
  if (!isOutside(payment)) parts.push(`pagamento nº ${payment.providerPaymentId}`);
  if (payment.endToEndId) parts.push(`Pix (EndToEndId) ${payment.endToEndId}`);
  return `Códigos para conferência: ${parts.join(', ')}.`;
}

function revocation(data: ReceiptData): Wording['revocation'] {
  if (!data.revokedAt || data.restoredAt) return null;
  const because = data.revokedReason ? ` porque ${REVOKED_BECAUSE[data.revokedReason]}` : '';
  const title = `REVOGADO em ${localMoment(data.revokedAt, data.utcOffset).date}`;
  if (data.kind === 'part') {
    const body = `Este recibo foi revogado${because}. Ele não comprova mais o pagamento e é mantido só como registro.`;
    return { title, body };
  }
  return {
    title,
    body: `Este termo foi revogado${because}. Ele não comprova mais a quitação da dívida e é mantido só como registro.`,
  };
}

function restoration(data: ReceiptData): Wording['restoration'] {
  if (!data.revokedAt || !data.restoredAt) return null;
  const because = data.revokedReason ? `, porque ${REVOKED_BECAUSE[data.revokedReason]}` : '';
  const revoked = localMoment(data.revokedAt, data.utcOffset).date;
  const title = `RESTABELECIDO em ${localMoment(data.restoredAt, data.utcOffset).date}`;
  if (data.kind === 'part') {
    const body = `Este recibo foi revogado em ${revoked}${because}. O valor voltou ao credor e o recibo vale de novo.`;
    return { title, body };
  }
  return {
    title,
    body: `Este termo foi revogado em ${revoked}${because}. A dívida voltou a estar paga e o termo vale de novo.`,
  };
}

const DOCUMENTS = {
  settlement: {
    title: DOCUMENT_NAMES.settlement,
    subtitle: 'Recibo de pagamento com quitação total da dívida',
    settledMark: 'Dívida quitada',
    note: {
      title: 'Cadastros de proteção ao crédito',
      body: 'Se esta dívida constar de cadastro de inadimplentes (SPC, Serasa ou outro), o credor deve promover a exclusão em até 5 (cinco) dias úteis, contados do primeiro dia útil após a disponibilização do valor (Súmula 548 do STJ).',
    },
    verification:
      'Aponte a câmera do celular para o código ou abra o endereço abaixo. A página mostra se este termo é autêntico e se continua valendo.',
    verifyLink: 'Verificar este termo de quitação',
    codeShows: 'Código QR com o endereço de verificação deste termo',
  },
  part: {
    title: DOCUMENT_NAMES.part,
    subtitle: 'Comprova este pagamento e não dá quitação do restante da dívida',
    settledMark: null,
    note: {
      title: 'O restante da dívida',
      body: 'Quando o restante for pago, o credor emite o Termo de Quitação da dívida inteira, que inclui este pagamento. Este recibo continua valendo como prova do que foi pago aqui.',
    },
    verification:
      'Aponte a câmera do celular para o código ou abra o endereço abaixo. A página mostra se este recibo é autêntico e se continua valendo.',
    verifyLink: 'Verificar este recibo de pagamento parcial',
    codeShows: 'Código QR com o endereço de verificação deste recibo',
  },
} as const;

export function wording(data: ReceiptData): Wording {
  const paid = localMoment(data.payment.paidAt, data.utcOffset);
  const issued = localMoment(data.issuedAt, data.utcOffset);
  return {
    ...DOCUMENTS[data.kind ?? 'settlement'],
    creditorName: data.creditor.name,
    creditorLines: creditorLines(data),
    issuedAt: `Emitido em ${clock(issued)}`,
    amount: formatReais(data.payment.amountCentavos),
    amountInWords: amountInWords(data.payment.amountCentavos),
    paidOn: `em ${paid.date}`,
    testNotice: data.sandbox ? 'DOCUMENTO DE TESTE, SEM VALOR' : null,
    revocation: revocation(data),
    restoration: restoration(data),
    declaration: declaration(data, paid),
    debtRows: debtRows(data),
    paymentRows: paymentRows(data, paid),
    codes: codes(data),
    signature:
      'Emitido eletronicamente em nome do credor. Autoria e integridade comprovadas pelo protocolo e pelo endereço de verificação (MP 2.200-2/2001, art. 10, § 2º).',
  };
}
