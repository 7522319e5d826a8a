import type { EntityManager } from '@mikro-orm/postgresql';
import { refuseWaitingDeliveries } from '../../db/queries/receipt-deliveries.ts';
import { setRevoked } from '../../db/queries/receipts.ts';
import type { RevokedReason } from '../../domain/revoked-reasons.ts';

/**
 * Revokes the receipt of a payment that was returned. The receipt stays and states that it is no longer valid; it is
 * drawn again at the next request. Returns null when there is no receipt or it is revoked already.
 */
export async function revokeReceipt(
  em: EntityManager,
  chargeId: string,
  reason: RevokedReason,
  at: Date,
): Promise<{ readonly protocol: string } | null> {
  const revoked = await setRevoked(em, chargeId, { at, reason });
  if (revoked === undefined) return null;
  await refuseWaitingDeliveries(em, { receiptId: revoked.id });
  return { protocol: revoked.protocol };
}
