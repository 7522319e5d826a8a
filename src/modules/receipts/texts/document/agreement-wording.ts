import { formatReais } from '../../../../kernel/money.ts';
import { taxIdOf } from '../../../../kernel/tax-id.ts';
import { formatCalendarDate, localMoment } from '../../../../kernel/texts/format.ts';
import type { AcceptedBy } from '../../../agreements/rules/acceptance.ts';
import { breachRule, LATE_INSTALMENT, NO_NOVATION, PAY_EARLY } from '../../../agreements/texts/accepted-text.ts';
import type { AgreedDebtData, AgreementData } from './agreement-data.ts';
import { amountInWords } from './amount-in-words.ts';
import { clock, creditorLines, frameOf } from './frame-words.ts';
import type { Frame, Row } from './layout.ts';
import type { NamedRow } from './named-table.ts';

const TITLE = 'Termo de Acordo';

export const agreementInfo = ({ sandbox }: AgreementData) => ({
  title: TITLE,
  subject: sandbox ? 'Acordo de teste, sem valor' : 'Acordo para o pagamento de dívidas, sem novação',
});

/** The words of a Termo de Acordo. */
export interface AgreementWording extends Frame {
  readonly amount: string;
  readonly amountInWords: string;
  /** What stands beside the amount. */
  readonly summary: readonly string[];
  /** Parts with an odd index are emphasised. */
  readonly declaration: readonly string[];
  /** The heads of the columns, and the cells of each row. The first column has two lines. */
  readonly debtColumns: readonly string[];
  readonly debtRows: readonly NamedRow[];
  readonly debtSum: readonly string[];
  readonly instalmentColumns: readonly string[];
  readonly instalmentRows: readonly (readonly string[])[];
  readonly rules: readonly string[];
  readonly acceptance: readonly Row[];
  readonly acceptedLines: readonly string[];
}

const ACCEPTED_BY: Readonly<Record<AcceptedBy, string>> = {
  page: 'Na página de pagamento, aberta pelo endereço enviado ao devedor',
  message: 'Por mensagem, na conversa com o devedor',
  staff: 'Junto à equipe do credor, que registrou o aceite',
};

const countOf = ({ instalments }: AgreementData): string =>
  instalments.length === 1 ? 'em um pagamento único' : `em ${instalments.length} parcelas`;

function declaration(data: AgreementData): string[] {
  const { creditor, debtor, debts, totalCentavos, discountCentavos } = data;
  const identity = creditorLines(data).join(', ');
  const taxId = taxIdOf(debtor);
  const what =
    debts.length === 1 ? 'a dívida abaixo identificada será paga' : 'as dívidas abaixo identificadas serão pagas';
  const total = ` (${amountInWords(totalCentavos)})`;
  const discount =
    discountCentavos === 0
      ? `${total}, sem desconto, `
      : `${total}, com desconto de ${formatReais(discountCentavos)} sobre o que era devido, `;
  return [
    '',
    creditor.name,
    `${identity && ` (${identity})`}, credor, e `,
    debtor.name,
    ` (${taxId.kind} ${taxId.masked}), devedor, acordaram que ${what} pelo valor total de `,
    formatReais(totalCentavos),
    discount,
    countOf(data),
    ', nas datas e nos valores deste termo.',
  ];
}

const DEBT_COLUMNS = ['Dívida', 'Vencimento', 'Principal', 'Devido', 'Desconto', 'No acordo'] as const;

function debtCells(debt: AgreedDebtData): NamedRow {
  const { invoiceId, description, dueDate, originalAmountCentavos, owedCentavos, discountCentavos } = debt;
  const nature = description ?? 'Fatura ou outro crédito do credor';
  const amounts = [originalAmountCentavos, owedCentavos, discountCentavos, owedCentavos - discountCentavos];
  return {
    name: invoiceId ?? nature,
    nature: invoiceId === null ? null : nature,
    cells: [formatCalendarDate(dueDate), ...amounts.map(formatReais)],
  };
}

function debtSum({ debts, totalCentavos, discountCentavos }: AgreementData): string[] {
  const original = debts.reduce((sum, { originalAmountCentavos }) => sum + originalAmountCentavos, 0);
  const amounts = [original, totalCentavos + discountCentavos, discountCentavos, totalCentavos];
  return ['Total', '', ...amounts.map(formatReais)];
}

export function agreementWording(data: AgreementData): AgreementWording {
  const { accepted, instalments, totalCentavos, discountCentavos, offeredOn } = data;
  const acceptedAt = localMoment(accepted.at, data.utcOffset);
  return {
    ...frameOf(data),
    title: TITLE,
    subtitle: 'Como as dívidas abaixo serão pagas, sem ânimo de novar',
    issuedAt: `Aceito em ${clock(acceptedAt)}`,
    amount: formatReais(totalCentavos),
    amountInWords: amountInWords(totalCentavos),
    summary: [
      instalments.length === 1 ? 'Pagamento único' : `${instalments.length} parcelas`,
      discountCentavos === 0 ? 'sem desconto' : `desconto de ${formatReais(discountCentavos)}`,
    ],
    declaration: declaration(data),
    debtColumns: DEBT_COLUMNS.map((name) => (name === 'Devido' ? `Devido em ${formatCalendarDate(offeredOn)}` : name)),
    debtRows: data.debts.map(debtCells),
    debtSum: debtSum(data),
    instalmentColumns: ['Parcela', 'Vencimento', 'Valor'],
    instalmentRows: instalments.map(({ number, dueDate, amountCentavos }) => [
      instalments.length === 1 ? 'Única' : `${number}ª`,
      formatCalendarDate(dueDate),
      formatReais(amountCentavos),
    ]),
    rules: [
      `${NO_NOVATION} As dívidas acima continuam as mesmas, com a sua origem e as suas garantias, e são quitadas quando o acordo é cumprido (Código Civil, art. 361).`,
      LATE_INSTALMENT,
      breachRule(data),
      PAY_EARLY,
      'Cada pagamento tem o seu recibo. Cumprido o acordo, o credor emite o Termo de Quitação de cada dívida.',
    ],
    acceptance: [
      { label: 'Quando', value: clock(acceptedAt) },
      { label: 'Como', value: ACCEPTED_BY[accepted.by] },
      ...(accepted.phone === '' ? [] : [{ label: 'Telefone do devedor', value: accepted.phone }]),
      { label: 'SHA-256 do texto aceito', value: accepted.textHash },
    ],
    acceptedLines: accepted.text.split('\n').filter((line) => line !== ''),
    verification:
      'Aponte a câmera do celular para o código ou abra o endereço abaixo. A página mostra se este termo é autêntico e qual é a situação do acordo.',
    verifyLink: 'Verificar este termo de acordo',
    codeShows: 'Código QR com o endereço de verificação deste termo',
    codes: `Códigos para conferência: acordo ${data.agreementId}.`,
  };
}
