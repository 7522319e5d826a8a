import { AppError } from '../../../kernel/errors.ts';
import type { MemberRole } from '../../../kernel/member-rights.ts';
import { addRequestAudit, type RequestSource } from '../queries/add-audit.ts';
import { setInvitedRole } from '../queries/invitations.ts';
import { findMember, setRole } from '../queries/members.ts';
import type { AccountDeps } from './deps.ts';
import { lockForOwner, requireOtherOwner } from './lock-for-owner.ts';
import { type MemberView, memberViewOf } from './member-view.ts';

interface RoleChange {
  readonly clientId: string;
  /** The caller. */
  readonly memberId: string;
  readonly id: string;
  readonly role: MemberRole;
  readonly source: RequestSource;
}

/** Gives a member, or an invited person, another role, which binds with the next request. Throws `last_owner`. */
export const changeRole =
  ({ db, releaseCases }: Pick<AccountDeps, 'db' | 'releaseCases'>) =>
  ({ clientId, memberId, id, role, source }: RoleChange): Promise<MemberView> =>
    db.tenant(clientId).transactional(async (tx) => {
      await lockForOwner(tx, { clientId, memberId });
      const member = await findMember(tx, clientId, id);
      const audit = (from: MemberRole | null) =>
        addRequestAudit(tx, { clientId, source, action: 'member_changed', target: id, details: { from, to: role } });
      if (member === undefined) {
        const invited = await setInvitedRole(tx, clientId, id, role);
        if (invited === undefined) throw new AppError('not_found');
        await audit(null);
        return memberViewOf(invited);
      }
      if (member.role === role) return memberViewOf(member);
      if (member.role === 'owner') await requireOtherOwner(tx, clientId, id);
      await setRole(tx, id, role);
      await releaseCases(tx, clientId);
      await audit(member.role);
      return memberViewOf({ ...member, role });
    });
