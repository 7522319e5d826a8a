/** Why a receipt no longer proves that its debt is paid. `undone`: the client had recorded the payment by mistake. */
export const REVOKED_REASONS = ['refund', 'chargeback', 'undone'] as const;
export type RevokedReason = (typeof REVOKED_REASONS)[number];

/** A receipt that was revoked is valid again from the moment at which its debt was covered again. */
export const isRevoked = ({
  revokedAt,
  restoredAt,
}: {
  readonly revokedAt: Date | null;
  readonly restoredAt: Date | null;
}): boolean => revokedAt !== null && restoredAt === null;
