import type { DebtStatus } from '../../domain/debt-status.ts';
import type { PaymentStatus } from '../../domain/payment-status.ts';

export interface PaymentState {
  readonly debtStatus: DebtStatus;
  readonly wrongPerson: boolean;
  /** Of the latest charge that the provider made. */
  readonly chargeStatus: PaymentStatus | null;
}

/**
 * The payment of a debt as everybody sees it. A lapsed charge is renewed on demand, so it is PENDING whatever the
 * provider calls it; a debt that was given up is CANCELLED.
 */
export function paymentStatusOf({ debtStatus, wrongPerson, chargeStatus }: PaymentState): PaymentStatus {
  if (debtStatus === 'PAID') return 'APPROVED';
  if (debtStatus === 'STOPPED' && !wrongPerson) return 'CANCELLED';
  return chargeStatus === 'REJECTED' ? 'REJECTED' : 'PENDING';
}
