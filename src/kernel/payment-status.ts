export const PAYMENT_STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'CANCELLED'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/**
 * Returns the status of a charge after the provider reported `reported`; reports may arrive in any order. APPROVED is
 * final (a refund is recorded separately), a late payment settles even a rejected or cancelled charge, and a stale
 * PENDING never reopens a charge that has ended.
 */
export const nextPaymentStatus = (current: PaymentStatus, reported: PaymentStatus): PaymentStatus => {
  if (current === 'APPROVED' || reported === 'APPROVED') return 'APPROVED';
  return reported === 'PENDING' ? current : reported;
};
