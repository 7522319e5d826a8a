export const PAYMENT_STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'CANCELLED'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/**
 * The status of a charge after the provider reported `reported`, whatever order reports arrive in.
 * APPROVED is final (a refund is recorded beside it); money that arrives late settles even a rejected or cancelled charge;
 * a stale PENDING never reopens what has ended.
 */
export const nextPaymentStatus = (current: PaymentStatus, reported: PaymentStatus): PaymentStatus => {
  if (current === 'APPROVED' || reported === 'APPROVED') return 'APPROVED';
  return reported === 'PENDING' ? current : reported;
};
