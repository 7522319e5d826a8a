/** Why a receipt no longer proves that its debt is paid. */
export const REVOKED_REASONS = ['refund', 'chargeback'] as const;
export type RevokedReason = (typeof REVOKED_REASONS)[number];
