import { AppError } from '../../../kernel/errors.ts';
import type { MemberRole } from '../../../kernel/member-rights.ts';
import type { Tx } from '../../../platform/database/tx.ts';
import { addRequestAudit, type RequestSource } from '../queries/add-audit.ts';
import { lockClient } from '../queries/clients.ts';
import { deleteEmailChanges } from '../queries/email-changes.ts';
import { deleteInvitation } from '../queries/invitations.ts';
import { findMember, leave } from '../queries/members.ts';
import { PASSWORD_RESETS } from '../queries/one-time-tokens.ts';
import { removeSecondFactors } from '../queries/second-factors.ts';
import { endSessions } from '../queries/sessions.ts';
import type { AccountDeps } from './deps.ts';
import { lockForOwner, requireOtherOwner } from './lock-for-owner.ts';

interface Removal {
  readonly clientId: string;
  /** The caller. */
  readonly memberId: string;
  readonly source: RequestSource;
}

/** Ends the membership under the lock of the client's row. Its access tokens are refused from the commit on. */
async function endMembership(
  tx: Tx,
  { releaseCases }: Pick<AccountDeps, 'releaseCases'>,
  { clientId, id, role }: { readonly clientId: string; readonly id: string; readonly role: MemberRole },
): Promise<void> {
  if (role === 'owner') await requireOtherOwner(tx, clientId, id);
  await leave(tx, id);
  await releaseCases(tx, clientId);
  await removeSecondFactors(tx, { clientId, memberId: id });
  await PASSWORD_RESETS.useAll(tx, id);
  await deleteEmailChanges(tx, { clientId, memberId: id });
  await endSessions(tx, { clientId, memberId: id });
}

/** An owner removes another member, or takes an invitation back. Throws `last_owner`. */
export const removeMember =
  (deps: Pick<AccountDeps, 'db' | 'releaseCases'>) =>
  ({ clientId, memberId, id, source }: Removal & { readonly id: string }): Promise<void> =>
    deps.db.tenant(clientId).transactional(async (tx) => {
      await lockForOwner(tx, { clientId, memberId });
      const member = await findMember(tx, clientId, id);
      const removed = member ?? (await deleteInvitation(tx, clientId, id));
      if (removed === undefined) throw new AppError('not_found');
      if (member !== undefined) await endMembership(tx, deps, { clientId, id, role: member.role });
      const action = member === undefined ? 'invitation_taken_back' : 'member_removed';
      await addRequestAudit(tx, { clientId, source, action, target: id, details: { role: removed.role } });
    });

/** The caller leaves the company, whatever its role. The last owner cannot: `last_owner`. */
export const leaveCompany =
  (deps: Pick<AccountDeps, 'db' | 'releaseCases'>) =>
  ({ clientId, memberId, source }: Removal): Promise<void> =>
    deps.db.account(clientId).transactional(async (tx) => {
      await lockClient(tx, clientId);
      const member = await findMember(tx, clientId, memberId);
      if (member === undefined) throw new AppError('token_invalid');
      const { role } = member;
      await endMembership(tx, deps, { clientId, id: memberId, role });
      await addRequestAudit(tx, { clientId, source, action: 'member_left', target: memberId, details: { role } });
    });
