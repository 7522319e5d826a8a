import type { RevokedReason } from '../../../kernel/revoked-reasons.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { revokeQuittancesOf } from '../queries/annual-quittances.ts';
import { refuseWaitingDeliveries } from '../queries/receipt-deliveries.ts';
import { setRestored, setRevoked } from '../queries/receipts.ts';

interface ChangedReceipt {
  readonly protocol: string;
}

/**
 * Revokes the receipt of a debt whose money went back. The receipt stays and states that it is no longer valid; it is
 * drawn again at the next request. An annual quittance with this payment is revoked too, for good: another one is issued
 * once all is paid again. Returns null when there is no receipt or it is revoked already.
 */
export async function revokeReceipt(
  tx: Tx,
  chargeId: string,
  reason: RevokedReason,
  at: Date,
): Promise<ChangedReceipt | null> {
  await revokeQuittancesOf(tx, chargeId, { at, reason });
  const revoked = await setRevoked(tx, chargeId, { at, reason });
  if (revoked === undefined) return null;
  await refuseWaitingDeliveries(tx, { receiptId: revoked.id });
  return { protocol: revoked.protocol };
}

/**
 * Makes a revoked receipt valid again, because its debt is covered again. The receipt keeps both moments and is drawn
 * again at the next request. Returns null when there is no revoked receipt.
 */
export async function restoreReceipt(tx: Tx, chargeId: string, at: Date): Promise<ChangedReceipt | null> {
  const restored = await setRestored(tx, chargeId, at);
  return restored === undefined ? null : { protocol: restored.protocol };
}
