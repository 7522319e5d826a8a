import { AppError } from '../../../kernel/errors.ts';
import type { MemberRole } from '../../../kernel/member-rights.ts';
import { addRequestAudit, type RequestSource } from '../queries/add-audit.ts';
import { deleteEndedInvitation, findInvitation, insertInvitation, renewInvitation } from '../queries/invitations.ts';
import { PASSWORD_OF_EMAIL } from '../queries/members.ts';
import { askForMail } from './ask-for-mail.ts';
import type { AccountDeps } from './deps.ts';
import { lockForOwner } from './lock-for-owner.ts';
import { emailHash } from './login-lockout.ts';
import { type MemberView, memberViewOf } from './member-view.ts';

interface Invite {
  readonly clientId: string;
  /** The caller. */
  readonly memberId: string;
  /** The same in every attempt at a call. */
  readonly id: string;
  /** Normalised and corporate. */
  readonly email: string;
  readonly name: string;
  readonly role: MemberRole;
  readonly source: RequestSource;
}

type Deps = Pick<AccountDeps, 'db' | 'workflows' | 'takeFromInvitationRate'>;

/**
 * Invites a person by e-mail. The mail goes out after the commit, and contains nothing that the caller entered. Throws
 * `email_taken` when a member of any company, or an open invitation of this one, has the address.
 */
export const inviteMember =
  ({ db, workflows, takeFromInvitationRate }: Deps) =>
  async ({ clientId, memberId, source, ...invitation }: Invite): Promise<MemberView> => {
    const { id, email, role } = invitation;
    const [known] = await db.readPrepared({ auth: true }, PASSWORD_OF_EMAIL, { email });
    if (known !== undefined) throw new AppError('email_taken');
    await takeFromInvitationRate(emailHash(email));
    return db.tenant(clientId).transactional(async (tx) => {
      await lockForOwner(tx, { clientId, memberId });
      const before = await findInvitation(tx, clientId, id);
      if (before !== undefined) return memberViewOf(before);
      await deleteEndedInvitation(tx, clientId, email);
      const made = await insertInvitation(tx, { ...invitation, clientId });
      await askForMail(tx, workflows, clientId, 'member_invited', id);
      await addRequestAudit(tx, { clientId, source, action: 'member_invited', target: id, details: { role } });
      return memberViewOf(made);
    });
  };

interface Again {
  readonly clientId: string;
  readonly memberId: string;
  readonly id: string;
  readonly source: RequestSource;
}

/** Sends an invitation again: seven days begin anew, and the link that was mailed before works no more. */
export const sendInvitationAgain =
  ({ db, workflows, takeFromInvitationRate }: Deps) =>
  ({ clientId, memberId, id, source }: Again): Promise<void> =>
    db.tenant(clientId).transactional(async (tx) => {
      await lockForOwner(tx, { clientId, memberId });
      const invitation = await renewInvitation(tx, clientId, id);
      if (invitation === undefined) throw new AppError('not_found');
      await takeFromInvitationRate(emailHash(invitation.email));
      await askForMail(tx, workflows, clientId, 'member_invited', id);
      await addRequestAudit(tx, { clientId, source, action: 'member_invited', target: id, details: { again: true } });
    });
