import { formatReais, MAX_CENTAVOS } from '../../../../kernel/money.ts';
import { taxIdOf } from '../../../../kernel/tax-id.ts';
import { formatCalendarDate, localMoment } from '../../../../kernel/texts/format.ts';
import { amountInWords } from './amount-in-words.ts';
import { clock, creditorLines, frameOf } from './frame-words.ts';
import type { Frame } from './layout.ts';
import type { NamedRow } from './named-table.ts';
import type { QuittanceData } from './quittance-data.ts';
import { REVOKED_BECAUSE } from './wording.ts';

const TITLE = 'Declaração de Quitação Anual';

export const quittanceInfo = ({ year, sandbox }: QuittanceData) => ({
  title: TITLE,
  subject: sandbox ? 'Declaração de teste, sem valor' : `Quitação dos débitos do ano de ${year}`,
});

/** The words of an annual quittance. */
export interface QuittanceWording extends Frame {
  readonly revocation: { readonly title: string; readonly body: string } | null;
  readonly amount: string;
  readonly amountInWords: string;
  /** What stands beside the amount. */
  readonly summary: readonly string[];
  /** Parts with an odd index are emphasised. */
  readonly declaration: readonly string[];
  readonly billsTitle: string;
  readonly billColumns: readonly string[];
  readonly billRows: readonly NamedRow[];
  readonly billSum: readonly string[];
  readonly replaces: readonly string[];
  readonly covers: readonly string[];
}

function declaration(data: QuittanceData): string[] {
  const { creditor, debtor, year } = data;
  const identity = creditorLines(data).join(', ');
  const taxId = taxIdOf(debtor);
  return [
    '',
    creditor.name,
    `${identity && ` (${identity})`} declara que `,
    debtor.name,
    ` (${taxId.kind} ${taxId.masked}), ou quem por ele pagou, `,
    `quitou todos os débitos do ano de ${year}`,
    `, de janeiro a dezembro, pela data de vencimento das faturas (Lei 12.007/2009, arts. 1º e 2º).`,
  ];
}

const nameOfBill = ({ invoiceId, dueDate }: QuittanceData['earlierOwed'][number]): string =>
  `${invoiceId ?? 'fatura sem número'} (vencimento em ${formatCalendarDate(dueDate)})`;

function replaces({ year, earlierOwed }: QuittanceData): string[] {
  const law = `Esta declaração substitui, para a comprovação do cumprimento das obrigações do consumidor, as quitações dos faturamentos mensais dos débitos do ano de ${year} e dos anos anteriores (Lei 12.007/2009, art. 4º)`;
  if (earlierOwed.length === 0) return [`${law}.`];
  return [
    `${law}, a não ser estas faturas de anos anteriores, que ela não abrange porque continuam em aberto:`,
    `${earlierOwed.map(nameOfBill).join('; ')}.`,
  ];
}

function billCells({ invoiceId, description, ...bill }: QuittanceData['bills'][number]): NamedRow {
  const nature = description ?? 'Fatura ou outro crédito do credor';
  return {
    name: invoiceId ?? nature,
    nature: invoiceId === null ? null : nature,
    cells: [
      formatCalendarDate(bill.dueDate),
      formatReais(bill.originalAmountCentavos),
      formatCalendarDate(bill.paidOn),
      formatReais(bill.paidCentavos),
    ],
  };
}

function revocation({ revokedAt, revokedReason, utcOffset, year }: QuittanceData): QuittanceWording['revocation'] {
  if (revokedAt === null) return null;
  const because = revokedReason === null ? '' : ` porque ${REVOKED_BECAUSE[revokedReason]}`;
  return {
    title: `REVOGADA em ${localMoment(revokedAt, utcOffset).date}`,
    body: `Esta declaração foi revogada${because}. Ela não comprova mais a quitação do ano de ${year} e é mantida só como registro.`,
  };
}

export function quittanceWording(data: QuittanceData): QuittanceWording {
  const { bills, year } = data;
  const issued = localMoment(data.issuedAt, data.utcOffset);
  const original = bills.reduce((sum, { originalAmountCentavos }) => sum + originalAmountCentavos, 0);
  const paid = bills.reduce((sum, { paidCentavos }) => sum + paidCentavos, 0);
  const count = bills.length === 1 ? '1 fatura paga' : `${bills.length} faturas pagas`;
  return {
    ...frameOf(data),
    title: TITLE,
    subtitle: `Débitos com vencimento de janeiro a dezembro de ${year} (Lei 12.007/2009)`,
    issuedAt: `Emitida em ${clock(issued)}`,
    revocation: revocation(data),
    amount: formatReais(paid),
    // Words are made for amounts of one payment; a sum may be greater.
    amountInWords: paid > MAX_CENTAVOS ? count : amountInWords(paid),
    summary: [`Ano de ${year}`, count],
    declaration: declaration(data),
    billsTitle: `As faturas de ${year} registradas aqui`,
    billColumns: ['Fatura', 'Vencimento', 'Valor', 'Paga em', 'Valor pago'],
    billRows: bills.map(billCells),
    billSum: ['Total', '', formatReais(original), '', formatReais(paid)],
    replaces: replaces(data),
    covers: [
      `A lista traz as faturas de ${year} que passaram pela cobrança deste credor no serviço que emite esta declaração. O credor confirmou em ${issued.date} que não há outra fatura em aberto deste ano nem de anos anteriores${data.earlierOwed.length === 0 ? '' : ', a não ser as indicadas acima'}.`,
      'Se os serviços não foram usados em todos os meses, a declaração abrange os meses em que houve faturamento (Lei 12.007/2009, art. 2º, § 2º).',
    ],
    verification:
      'Aponte a câmera do celular para o código ou abra o endereço abaixo. A página mostra se esta declaração é autêntica e se continua valendo.',
    verifyLink: 'Verificar esta declaração de quitação anual',
    codeShows: 'Código QR com o endereço de verificação desta declaração',
    codes: `Código para conferência: ${data.protocol}.`,
  };
}
