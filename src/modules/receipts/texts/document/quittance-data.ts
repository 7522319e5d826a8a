import type { LocalDate } from '../../../../kernel/calendar.ts';
import type { RevokedReason } from '../../../../kernel/revoked-reasons.ts';
import { type HasGlyph, printableOrNull } from './printable.ts';
import {
  assertHead,
  type DocumentHead,
  printableParties,
  ReceiptDataError,
  requireAmount,
  requireDay,
  requireMoment,
} from './receipt-data.ts';

export const QUITTANCE_TEMPLATE_VERSION = 1;

interface QuittedBillData {
  readonly invoiceId: string | null;
  readonly description: string | null;
  readonly dueDate: LocalDate;
  readonly originalAmountCentavos: number;
  readonly paidCentavos: number;
  readonly paidOn: LocalDate;
}

/** Everything that an annual quittance shows. */
export interface QuittanceData extends DocumentHead {
  readonly kind: 'annual-quittance';
  readonly year: number;
  readonly bills: readonly QuittedBillData[];
  /** Bills of earlier years that are still owed. */
  readonly earlierOwed: readonly { readonly invoiceId: string | null; readonly dueDate: LocalDate }[];
  readonly revokedAt: Date | null;
  readonly revokedReason: RevokedReason | null;
}

/** Refuses a bill of another year, because the document quits the year that it names. */
export function assertQuittanceData(data: QuittanceData): void {
  assertHead(data);
  const { year, bills, earlierOwed, revokedAt } = data;
  if (bills.length === 0) throw new ReceiptDataError('bills', 'are missing');
  for (const { dueDate, paidOn, originalAmountCentavos, paidCentavos } of bills) {
    requireDay('bills.dueDate', dueDate);
    requireDay('bills.paidOn', paidOn);
    requireAmount('bills.originalAmountCentavos', originalAmountCentavos);
    requireAmount('bills.paidCentavos', paidCentavos);
    if (!dueDate.startsWith(`${year}-`)) throw new ReceiptDataError('bills.dueDate', 'is of another year');
  }
  for (const { dueDate } of earlierOwed) requireDay('earlierOwed.dueDate', dueDate);
  if (revokedAt !== null) requireMoment('revokedAt', revokedAt);
}

export function printableQuittance(data: QuittanceData, hasGlyph: HasGlyph): QuittanceData {
  return {
    ...data,
    ...printableParties(data, hasGlyph),
    bills: data.bills.map((bill) => ({
      ...bill,
      invoiceId: printableOrNull(bill.invoiceId, hasGlyph),
      description: printableOrNull(bill.description, hasGlyph),
    })),
    earlierOwed: data.earlierOwed.map((bill) => ({ ...bill, invoiceId: printableOrNull(bill.invoiceId, hasGlyph) })),
  };
}
