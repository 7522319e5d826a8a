import { AppError } from '../../../kernel/errors.ts';
import { hasRight, type Right } from '../../../kernel/member-rights.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import type { RequestSource } from '../queries/add-audit.ts';
import { isActiveKey } from '../queries/api-keys.ts';
import { lockClient } from '../queries/clients.ts';
import { findMember, hasOtherOwner } from '../queries/members.ts';
import { requireOpenSession } from './open-session.ts';

interface Member {
  readonly clientId: string;
  readonly memberId: string;
}

/**
 * Locks the client's row, so that changes of who has access come one after the other, and asks whether the caller may
 * still make one: another owner may have removed or lowered the caller meanwhile.
 */
export const lockForOwner = (tx: Tx, caller: Member): Promise<void> => lockForMember(tx, caller, 'administer');

async function lockForMember(tx: Tx, { clientId, memberId }: Member, right: Right): Promise<void> {
  await lockClient(tx, clientId);
  const caller = await findMember(tx, clientId, memberId);
  if (caller === undefined) throw new AppError('token_invalid');
  if (!hasRight(caller.role, right)) throw new AppError('role_insufficient');
}

/** A member in the session by which it calls; an identity provider's token has none. */
export interface CallingMember extends Member {
  readonly sessionId?: string | undefined;
}

/** An API key has no member and acts as a manager, which the route has checked. */
export type MemberOrApiKey =
  | CallingMember
  | { readonly clientId: string; readonly memberId: null; readonly apiKeyHash: string };

/**
 * Does the same for a change that outlives the caller's session, such as a connected account. A call may be under way
 * for a minute after its bearer was checked, and its session may end meanwhile.
 */
export async function lockForCaller(tx: Tx, caller: MemberOrApiKey, right: Right): Promise<void> {
  if (caller.memberId === null) {
    await lockClient(tx, caller.clientId);
    if (!(await isActiveKey(tx, caller.apiKeyHash))) throw new AppError('token_invalid');
    return;
  }
  await lockForMember(tx, caller, right);
  await requireOpenSession(tx, caller.sessionId);
}

/** An owner who connects something, or the operator's command, which has no source. */
export type OwnerOrOperator =
  | (CallingMember & { readonly source: RequestSource })
  | { readonly clientId: string; readonly source: null };

/** Throws `not_found` where the operator's command names no client. */
export async function lockForOwnerOrOperator(tx: Tx, by: OwnerOrOperator): Promise<void> {
  if (by.source !== null) return lockForCaller(tx, by, 'administer');
  if ((await lockClient(tx, by.clientId)) === undefined) throw new AppError('not_found');
}

/** Throws `last_owner` when the member is the only owner. The caller holds the lock of the client's row. */
export async function requireOtherOwner(tx: Tx, clientId: string, memberId: string): Promise<void> {
  if (!(await hasOtherOwner(tx, clientId, memberId))) throw new AppError('last_owner');
}
