import type { PaymentStatus } from './payment-status.ts';

/** What we asked for, and under which reference of ours. */
export interface AskedPayment {
  readonly reference: string;
  readonly amountCentavos: number;
}

/** What the provider says about it now. */
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

/** Why this report says nothing about what we asked for. Nothing is ever settled by such a one. */
export function reportProblem(asked: AskedPayment, reported: ReportedPayment): ReportProblem | null {
  if (reported.externalReference !== asked.reference) return 'reference_mismatch';
  if (reported.currency !== 'BRL') return 'currency_mismatch';
  if (reported.amountCentavos !== asked.amountCentavos) return 'amount_mismatch';
  if (wasPaid(reported) && !(reported.paidAmountCentavos > 0)) return 'paid_amount_missing';
  return null;
}

/** Money came, whatever became of it later: who asks late sees the refund of a payment that it never saw. */
export const wasPaid = ({ status, chargedBack, refundedCentavos }: ReportedPayment): boolean =>
  status === 'APPROVED' || chargedBack || refundedCentavos > 0;

/** What of a payment is still the creditor's. */
export const keptCentavos = (payment: {
  readonly paidCentavos: number;
  readonly refundedCentavos: number;
  readonly chargedBack: boolean;
}): number => (payment.chargedBack ? 0 : Math.max(0, payment.paidCentavos - payment.refundedCentavos));
