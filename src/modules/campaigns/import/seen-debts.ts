import type { CheckedDebt } from './check-debt.ts';

type Compared = Pick<CheckedDebt, 'debtorTaxId' | 'originalAmountCentavos' | 'dueDate'>;

/** What two debts have in common that are the same although one of them, or both, have no invoice. */
export const sumOf = ({ debtorTaxId, originalAmountCentavos, dueDate }: Compared): string =>
  `${debtorTaxId}:${originalAmountCentavos}:${dueDate}`;

export interface SeenDebts {
  has(debt: Compared & Pick<CheckedDebt, 'invoiceKey'>): boolean;
  /** The sum is null when only the invoice of the debt is known. */
  add(debt: { readonly invoiceKey: string | null; readonly sum: string | null }): void;
}

/**
 * The rule by which an import recognises a debt, among the earlier ones of its call and among those of the client: two
 * debts are the same when their invoices are, or, where either has none, when person, amount and due date are.
 * `similarDebts` looks up what it is asked about. A correction (`isOtherDebt`) and an import that continues an ended debt
 * (`continueEndedDebts`) follow it in statements of their own.
 */
export function createSeenDebts(): SeenDebts {
  const invoices = new Set<string>();
  const sums = new Set<string>();
  const sumsWithoutInvoice = new Set<string>();
  return {
    has: (debt) => {
      const sum = sumOf(debt);
      const { invoiceKey } = debt;
      return invoiceKey === null ? sums.has(sum) : invoices.has(invoiceKey) || sumsWithoutInvoice.has(sum);
    },
    add: ({ invoiceKey, sum }) => {
      if (invoiceKey !== null) invoices.add(invoiceKey);
      if (sum === null) return;
      sums.add(sum);
      if (invoiceKey === null) sumsWithoutInvoice.add(sum);
    },
  };
}
