import type { LocalDate } from '../../../kernel/calendar.ts';
import type { Instalment } from '../../agreements/rules/instalments.ts';
import { inOrderOfDays } from '../../terms/rules/credits.ts';

/** What one payment has paid of one instalment. */
export interface PaidInstalment {
  readonly number: number;
  readonly dueDate: LocalDate;
  readonly amountCentavos: number;
  /** False when other payments paid, or will pay, a part of it. */
  readonly isWhole: boolean;
}

/** What the receipt of one payment of an agreement says. */
export interface PaidOfAgreement {
  /** The protocol of the Termo de Acordo. */
  readonly protocol: string;
  readonly totalCentavos: number;
  /** How many instalments the agreement has. */
  readonly count: number;
  /** Empty where the agreement had ended before the money came. */
  readonly paid: readonly PaidInstalment[];
  /** What is open of the agreement after the payment. */
  readonly openCentavos: number;
}

export interface PaymentOfAgreement {
  readonly id: string;
  readonly on: LocalDate;
  /** What came. */
  readonly paidCentavos: number;
  /** What the creditor still has of it. */
  readonly amountCentavos: number;
}

/**
 * Returns what a payment has paid of an agreement, and what it has left open. Money pays the instalments in order, by
 * whichever code it came. All of the payment itself counts, because it came; of those before it what did not go back.
 */
export function paidInstalments(
  instalments: readonly Instalment[],
  payments: readonly PaymentOfAgreement[],
  id: string,
): { readonly paid: PaidInstalment[]; readonly openCentavos: number } {
  const inOrder = inOrderOfDays(payments);
  const at = inOrder.findIndex((payment) => payment.id === id);
  let before = inOrder.slice(0, Math.max(0, at)).reduce((sum, { amountCentavos }) => sum + amountCentavos, 0);
  let left = inOrder[at]?.paidCentavos ?? 0;
  let openCentavos = 0;
  const paid: PaidInstalment[] = [];
  for (const { number, dueDate, amountCentavos: due } of instalments) {
    const earlier = Math.min(before, due);
    const part = Math.min(left, due - earlier);
    before -= earlier;
    left -= part;
    openCentavos += due - earlier - part;
    if (part > 0) paid.push({ number, dueDate, amountCentavos: part, isWhole: part === due });
  }
  return { paid, openCentavos };
}
