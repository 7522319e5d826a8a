import { formatReais } from '../../../../kernel/money.ts';
import { isOutside } from '../../../../kernel/payment-providers.ts';
import type { ReceiptKind } from '../../../../kernel/receipt-kinds.ts';
import type { RevokedReason } from '../../../../kernel/revoked-reasons.ts';
import { taxIdOf } from '../../../../kernel/tax-id.ts';
import { formatCalendarDate, type LocalMoment, localMoment } from '../../../../kernel/texts/format.ts';
import { METHOD_PHRASES } from '../../../../kernel/texts/payment-methods.ts';
import type { PaidOfAgreement } from '../../rules/paid-instalments.ts';
import { amountInWords } from './amount-in-words.ts';
import { clock, creditorLines, frameOf } from './frame-words.ts';
import type { Frame, Row } from './layout.ts';
import { type ReceiptData, sumOf } from './receipt-data.ts';
import { agreementRows, debtRows, paymentRows } from './receipt-rows.ts';

/** The words of a receipt. */
export interface Wording extends Frame {
  /** The mark beside the amount; null for a receipt that settles nothing. */
  readonly settledMark: string | null;
  readonly amount: string;
  readonly amountInWords: string;
  readonly paidOn: string;
  readonly revocation: { readonly title: string; readonly body: string } | null;
  /** Set for a receipt that was revoked and is valid again. */
  readonly restoration: { readonly title: string; readonly body: string } | null;
  /** Parts with an odd index are emphasised. */
  readonly declaration: readonly string[];
  /** The debt, or the agreement, that was paid. */
  readonly about: { readonly title: string; readonly rows: readonly Row[] };
  readonly payment: readonly Row[];
  /** What the reader should know beside the payment. */
  readonly note: { readonly title: string; readonly body: string };
}

export const REVOKED_BECAUSE: Readonly<Record<RevokedReason, string>> = {
  refund: 'o dinheiro voltou, no todo ou em parte, a quem pagou',
  chargeback: 'o pagamento foi contestado e o valor retirado da conta do credor',
  undone: 'o credor corrigiu o registro: o pagamento foi lançado por engano nesta dívida',
};

export const DOCUMENT_NAMES: Readonly<Record<ReceiptKind, string>> = {
  settlement: 'Termo de Quitação',
  part: 'Recibo de pagamento parcial',
  instalment: 'Recibo de pagamento de acordo',
};

function howAndWhen({ payment }: ReceiptData, paid: LocalMoment): string {
  const count = (payment.earlier ?? []).length + 1;
  const several = count === 1 ? '' : `em ${count} pagamentos, o último `;
  const by = payment.agreement === undefined ? '' : `, pelo acordo ${payment.agreement.protocol}`;
  return `${several}${METHOD_PHRASES[payment.method]}, em ${paid.date}${by}`;
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
  if (payment.instalments !== undefined) {
    const [of, ...rest] = forAgreement(payment.instalments);
    return [...received, `${how}${of}`, ...rest];
  }
  return [
    ...received,
    `${how}e por este termo lhe dá `,
    'quitação total da dívida abaixo identificada',
    ', nada mais havendo a cobrar por ela a título de principal, juros, multa, correção ou encargos (Código Civil, arts. 319 e 320).',
  ];
}

const ONLY_THIS = 'Este recibo comprova só este pagamento e não dá quitação';
const BY_LAW = '(Código Civil, arts. 319 e 320).';

/** Follows how and when something was paid. The last instalment settles nothing by itself: each debt gets its Termo. */
function forAgreement({ protocol, paid, openCentavos }: PaidOfAgreement): [string, ...string[]] {
  if (paid.length === 0) {
    return [
      `por conta das dívidas do acordo ${protocol}, que já tinha terminado. `,
      `${ONLY_THIS} do restante delas`,
      ` ${BY_LAW}`,
    ];
  }
  const of = `por conta do acordo ${protocol}. `;
  if (openCentavos === 0) {
    return [
      of,
      `${ONLY_THIS} das dívidas do acordo`,
      `: com ele o valor do acordo está todo pago, e o credor dá a quitação de cada dívida no Termo de Quitação dela ${BY_LAW}`,
    ];
  }
  return [
    of,
    `${ONLY_THIS} do restante do acordo nem das dívidas dele`,
    ': depois dele ainda faltam ',
    formatReais(openCentavos),
    ` do valor do acordo ${BY_LAW}`,
  ];
}

function codes({ debt, payment }: ReceiptData): string {
  const parts = [`dívida ${debt.id}`];
  if (!isOutside(payment)) parts.push(`pagamento nº ${payment.providerPaymentId}`);
  if (payment.endToEndId) parts.push(`Pix (EndToEndId) ${payment.endToEndId}`);
  return `Códigos para conferência: ${parts.join(', ')}.`;
}

/** A receipt that settles nothing proves that money came. */
const isOnlyProof = ({ kind = 'settlement' }: ReceiptData): boolean => kind !== 'settlement';

function revocation(data: ReceiptData): Wording['revocation'] {
  if (!data.revokedAt || data.restoredAt) return null;
  const because = data.revokedReason ? ` porque ${REVOKED_BECAUSE[data.revokedReason]}` : '';
  const title = `REVOGADO em ${localMoment(data.revokedAt, data.utcOffset).date}`;
  if (isOnlyProof(data)) {
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
  if (isOnlyProof(data)) {
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
  instalment: {
    title: DOCUMENT_NAMES.instalment,
    subtitle: 'Comprova este pagamento e não dá quitação do restante do acordo',
    settledMark: null,
    note: {
      title: 'O restante do acordo',
      body: 'Quando o acordo for cumprido, o credor emite o Termo de Quitação de cada dívida dele. Este recibo continua valendo como prova do que foi pago aqui.',
    },
    verification:
      'Aponte a câmera do celular para o código ou abra o endereço abaixo. A página mostra se este recibo é autêntico e se continua valendo.',
    verifyLink: 'Verificar este recibo de pagamento de acordo',
    codeShows: 'Código QR com o endereço de verificação deste recibo',
  },
} as const satisfies Readonly<Record<ReceiptKind, object>>;

export function wording(data: ReceiptData): Wording {
  const paid = localMoment(data.payment.paidAt, data.utcOffset);
  const issued = localMoment(data.issuedAt, data.utcOffset);
  const { instalments } = data.payment;
  return {
    ...DOCUMENTS[data.kind ?? 'settlement'],
    ...frameOf(data),
    issuedAt: `Emitido em ${clock(issued)}`,
    amount: formatReais(data.payment.amountCentavos),
    amountInWords: amountInWords(data.payment.amountCentavos),
    paidOn: `em ${paid.date}`,
    revocation: revocation(data),
    restoration: restoration(data),
    declaration: declaration(data, paid),
    about:
      instalments === undefined
        ? { title: 'A dívida', rows: debtRows(data) }
        : { title: 'O acordo', rows: agreementRows(instalments) },
    payment: paymentRows(data, paid),
    codes: codes(data),
  };
}
