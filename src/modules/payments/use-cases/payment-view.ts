import type { DebtStatus } from '../../../kernel/debt-status.ts';
import type { PaymentStatus } from '../../../kernel/payment-status.ts';
import type { LiveCharge } from './find-or-make-charge.ts';

export interface PaymentState {
  readonly debtStatus: DebtStatus;
  readonly wrongPerson: boolean;
  /** The status of the latest charge that the provider made. */
  readonly chargeStatus: PaymentStatus | null;
}

/**
 * Returns the public payment status of a debt. An expired charge is renewed on demand, so it is PENDING whatever the
 * provider calls it. A debt that is no longer collected is CANCELLED, and one in an agreement is PENDING until the last
 * instalment is paid.
 */
export function paymentStatusOf({ debtStatus, wrongPerson, chargeStatus }: PaymentState): PaymentStatus {
  if (debtStatus === 'PAID') return 'APPROVED';
  if (debtStatus === 'STOPPED' && !wrongPerson) return 'CANCELLED';
  if (debtStatus === 'AGREEMENT') return 'PENDING';
  return chargeStatus === 'REJECTED' ? 'REJECTED' : 'PENDING';
}

/** A code as a page of a debtor shows it. */
export interface CodeOnPage {
  readonly text: string;
  readonly amountCentavos: number;
  readonly expiresAt: Date;
  readonly expiresInMs: number;
}

export const codeOnPage = (
  { now }: { readonly now: () => Date },
  { brCode, amountCentavos, expiresAt }: LiveCharge,
): CodeOnPage => ({ text: brCode, amountCentavos, expiresAt, expiresInMs: expiresAt.getTime() - now().getTime() });
