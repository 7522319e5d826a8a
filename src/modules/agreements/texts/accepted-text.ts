import { formatReais } from '../../../kernel/money.ts';
import { formatCalendarDate } from '../../../kernel/texts/format.ts';
import type { Instalment } from '../rules/instalments.ts';
import type { AfterBreach } from '../rules/offers-policy.ts';

export interface AgreedTerms {
  readonly creditorName: string;
  /** The invoices of the debts, for those that have one. */
  readonly invoices: readonly string[];
  readonly totalCentavos: number;
  readonly discountCentavos: number;
  readonly instalments: readonly Instalment[];
  readonly breachAfterDays: number;
  readonly afterBreach: AfterBreach;
}

/** What follows when an instalment stays unpaid. */
export const breachRule = ({
  breachAfterDays,
  afterBreach,
}: Pick<AgreedTerms, 'breachAfterDays' | 'afterBreach'>): string => {
  const then =
    afterBreach === 'restore'
      ? 'o desconto e as datas deixam de valer, e o que você já pagou é abatido do valor original, na data em que foi pago'
      : 'as datas deixam de valer, e o que falta do valor combinado continua devido, sem acréscimo';
  return `Se uma parcela passar de ${breachAfterDays} dias de atraso, depois de um aviso nosso, o acordo termina: ${then}.`;
};

/** An agreement changes how a debt is paid, and not the debt itself (Civil Code, art. 361). */
export const NO_NOVATION = 'Este acordo não cria uma dívida nova: é feito sem ânimo de novar.';

export const LATE_INSTALMENT = 'Uma parcela atrasada não tem multa nem juros próprios.';

export const PAY_EARLY = 'Você pode pagar qualquer parcela antes da data, ou tudo de uma vez, quando quiser.';

export const instalmentLine = ({ number, dueDate, amountCentavos }: Instalment, count: number): string =>
  count === 1
    ? `Pagamento único de ${formatReais(amountCentavos)} até ${formatCalendarDate(dueDate)}`
    : `${number}ª parcela: ${formatReais(amountCentavos)} até ${formatCalendarDate(dueDate)}`;

/**
 * What a debtor reads and accepts, on every way. It is stored word by word, so that it names nobody but the creditor.
 */
export function acceptedText(terms: AgreedTerms): string {
  const { creditorName, invoices, totalCentavos, discountCentavos, instalments } = terms;
  const of = invoices.length === 0 ? '' : ` (${invoices.length === 1 ? 'conta' : 'contas'} ${invoices.join(', ')})`;
  const total =
    discountCentavos === 0
      ? `Total do acordo: ${formatReais(totalCentavos)}, sem desconto.`
      : `Total do acordo: ${formatReais(totalCentavos)}, com desconto de ${formatReais(discountCentavos)}.`;
  return [
    `Acordo com ${creditorName}${of}.`,
    total,
    ...instalments.map((instalment) => `${instalmentLine(instalment, instalments.length)}.`),
    LATE_INSTALMENT,
    breachRule(terms),
    PAY_EARLY,
    NO_NOVATION,
  ].join('\n');
}
