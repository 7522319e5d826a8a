import type { EntityManager } from '@mikro-orm/postgresql';
import type { RevokedReason } from '../../db/entities/receipt.ts';
import { runInTransaction } from '../../db/statement.ts';

// Whoever draws it now loses the lease: that drawing would not say so.
const REVOKE = `
  update receipts set revoked_at = $3, revoked_reason = $2, outdated = pdf is not null,
    rendering_by = null, rendering_until = null
  where charge_id = $1 and revoked_at is null
  returning id, protocol`;
const SEND_NO_MORE = `
  update receipt_deliveries set state = 'refused' where receipt_id = $1 and state = 'waiting'`;

/**
 * The payment was given back: the receipt stays, and from now on says that it no longer holds. Its bytes are drawn anew
 * when they are next asked for. Null: there is none, or it is revoked already.
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
