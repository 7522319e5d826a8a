import { formatReais } from '../../../kernel/money.ts';
import { formatCalendarDate } from '../../../kernel/texts/format.ts';

interface NamedDebt {
  readonly invoiceId: string | null;
  readonly amountCentavos: number;
  readonly dueDate: string;
}

/** Names debts within a sentence: `a fatura 12 e a cobrança de R$ 150,00 com vencimento em 05/10/2026`. */
export const debtsInWords = (debts: readonly NamedDebt[]): string =>
  debts
    .map(({ invoiceId, amountCentavos, dueDate }) =>
      invoiceId === null
        ? `a cobrança de ${formatReais(amountCentavos)} com vencimento em ${formatCalendarDate(dueDate)}`
        : `a fatura ${invoiceId}`,
    )
    .join(' e ');
