import type { EntityManager } from '@mikro-orm/postgresql';
import type { RevokedReason } from '../../db/entities/receipt.ts';
import { runInTransaction } from '../../db/statement.ts';

// A process that is drawing the receipt loses its lease, because its document would not state the revocation.
const REVOKE = `
  update receipts set revoked_at = $3, revoked_reason = $2, outdated = pdf is not null,
    rendering_by = null, rendering_until = null
  where charge_id = $1 and revoked_at is null
  returning id, protocol`;
const SEND_NO_MORE = `
  update receipt_deliveries set state = 'refused' where receipt_id = $1 and state = 'waiting'`;

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
  const [revoked] = await runInTransaction<{ id: string; protocol: string }>(em, REVOKE, [chargeId, reason, at]);
  if (revoked === undefined) return null;
  await runInTransaction(em, SEND_NO_MORE, [revoked.id]);
  return { protocol: revoked.protocol };
}
