import type { PaymentStatus } from '../../../kernel/payment-status.ts';

/** The payment that the service requested, with the service's own reference. */
export interface AskedPayment {
  readonly reference: string;
  readonly amountCentavos: number;
}

/** What the provider reports about the payment now. */
export interface ReportedPayment {
  readonly status: PaymentStatus;
  readonly externalReference: string | null;
  readonly currency: string;
  readonly amountCentavos: number;
  readonly paidAmountCentavos: number;
  readonly refundedCentavos: number;
  readonly chargedBack: boolean;
}

export type ReportProblem = 'reference_mismatch' | 'currency_mismatch' | 'amount_mismatch' | 'paid_amount_missing';

/** Returns why the report does not describe the requested payment. Such a report never settles a debt. */
export function reportProblem(asked: AskedPayment, reported: ReportedPayment): ReportProblem | null {
  if (reported.externalReference !== asked.reference) return 'reference_mismatch';
  if (reported.currency !== 'BRL') return 'currency_mismatch';
  if (reported.amountCentavos !== asked.amountCentavos) return 'amount_mismatch';
  if (wasPaid(reported) && !(reported.paidAmountCentavos > 0)) return 'paid_amount_missing';
  return null;
}

/** True when money was received, even if it was returned later: a late query may show only the refund of a payment. */
export const wasPaid = ({ status, chargedBack, refundedCentavos }: ReportedPayment): boolean =>
  status === 'APPROVED' || chargedBack || refundedCentavos > 0;
