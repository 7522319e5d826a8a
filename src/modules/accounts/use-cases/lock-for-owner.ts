import { AppError } from '../../../kernel/errors.ts';
import { hasRight } from '../../../kernel/member-rights.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { lockClient } from '../queries/clients.ts';
import { findMember, hasOtherOwner } from '../queries/members.ts';

/**
 * Locks the client's row, so that changes of who has access come one after the other, and asks whether the caller may
 * still make one: another owner may have removed or lowered the caller meanwhile.
 */
export async function lockForOwner(
  tx: Tx,
  { clientId, memberId }: { readonly clientId: string; readonly memberId: string },
): Promise<void> {
  await lockClient(tx, clientId);
  const caller = await findMember(tx, clientId, memberId);
  if (caller === undefined) throw new AppError('token_invalid');
  if (!hasRight(caller.role, 'administer')) throw new AppError('role_insufficient');
}

/** Throws `last_owner` when the member is the only owner. The caller holds the lock of the client's row. */
export async function requireOtherOwner(tx: Tx, clientId: string, memberId: string): Promise<void> {
  if (!(await hasOtherOwner(tx, clientId, memberId))) throw new AppError('last_owner');
}
