import { invoicesInText } from './invoice-words.ts';
import { type DebtsOfFile, debtsOfInvoice, type Payment } from './match-row.ts';
import { fittingAmounts, type MatchableDebt } from './matchable-debt.ts';

/** More than these nobody compares at a glance. */
const MAX_CANDIDATES = 5;

/**
 * Returns the debts that a payment may be for, the likeliest first: those of its invoice, those of its person whose amount
 * fits, the other ones of its person, and debts of the same amount.
 */
export function candidatesOf(known: DebtsOfFile, payment: Payment, ofAmount: readonly string[]): string[] {
  const { invoiceId, memo, taxId } = payment;
  const words = [...(invoiceId === null ? [] : [invoiceId]), ...invoicesInText(memo ?? '')];
  const named = words.flatMap((word) => debtsOfInvoice(known, word));
  const ofPerson = (known.byTaxId.get(taxId ?? '') ?? []).filter(({ isPaid }) => !isPaid);
  const isFitting = (debt: MatchableDebt): boolean =>
    fittingAmounts(debt, payment.paidAt, []).includes(payment.amountCentavos);
  const ordered = [...named, ...ofPerson.filter(isFitting), ...ofPerson].map(({ id }) => id);
  // An amount alone says little beside a name.
  return [...new Set(ordered.length > 0 ? ordered : ofAmount)].slice(0, MAX_CANDIDATES);
}
