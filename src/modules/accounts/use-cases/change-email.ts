import { AppError } from '../../../kernel/errors.ts';
import { requireRight } from '../../../kernel/member-rights.ts';
import { mapDbError } from '../../../platform/database/map-db-error.ts';
import { addAudit, addRequestAudit, type RequestSource } from '../queries/add-audit.ts';
import { lockClient } from '../queries/clients.ts';
import {
  confirmOneSide,
  deleteEmailChanges,
  EMAIL_CHANGE_OF_TOKEN,
  insertEmailChange,
  setCompanyEmail,
  setMemberEmail,
} from '../queries/email-changes.ts';
import { endLocks } from '../queries/login-lockouts.ts';
import { findMember, PASSWORD_OF_EMAIL } from '../queries/members.ts';
import { PASSWORD_RESETS } from '../queries/one-time-tokens.ts';
import { askForMail } from './ask-for-mail.ts';
import type { AccountDeps, Origin } from './deps.ts';
import { linkRefused } from './link-refused.ts';
import { emailHash } from './login-lockout.ts';
import { hashToken } from './opaque-token.ts';
import { requireOpenSession } from './open-session.ts';

interface Wish {
  readonly clientId: string;
  /** The caller. */
  readonly memberId: string;
  readonly sessionId: string | undefined;
  /** Normalised and corporate. */
  readonly email: string;
  /** Whether it is the address of the company; else the caller's own. */
  readonly ofCompany: boolean;
  readonly source: RequestSource;
}

type Deps = Pick<AccountDeps, 'db' | 'workflows' | 'takeFromMailRate' | 'takeFromInvitationRate'>;

const sameAddress = (): AppError =>
  new AppError('validation_failed', {
    errors: [{ pointer: '/email', code: 'email_unchanged', message: 'This is the address already' }],
  });

const detailsOf = (ofCompany: boolean) => ({ of: ofCompany ? 'company' : 'member' });

/**
 * Asks both addresses to confirm a change. Nothing changes until both have, so neither a stolen session nor a stolen
 * mailbox alone moves an account. The mails go out after the commit. Throws `email_not_confirmed` while the address of
 * the sign-up is unproven, and `email_taken`.
 */
export const askForEmailChange =
  ({ db, workflows, takeFromMailRate, takeFromInvitationRate }: Deps) =>
  async ({ clientId, memberId, sessionId, email, ofCompany, source }: Wish): Promise<void> => {
    if (!ofCompany) {
      const [known] = await db.readPrepared({ auth: true }, PASSWORD_OF_EMAIL, { email });
      if (known !== undefined && known.id !== memberId) throw new AppError('email_taken');
    }
    await takeFromMailRate(`email_change:${ofCompany ? clientId : memberId}`);
    await takeFromInvitationRate(emailHash(email));
    await db.account(clientId).transactional(async (tx) => {
      const client = await lockClient(tx, clientId);
      const member = await findMember(tx, clientId, memberId);
      if (client === undefined || member === undefined) throw new AppError('token_invalid');
      // Another owner may have lowered the caller meanwhile.
      if (ofCompany) requireRight(member.role, 'administer');
      await requireOpenSession(tx, sessionId);
      if (client.emailConfirmedAt === null) throw new AppError('email_not_confirmed');
      const presentEmail = ofCompany ? client.email : member.email;
      if (presentEmail === email) throw sameAddress();
      const id = await insertEmailChange(tx, { clientId, memberId, ofCompany, presentEmail, newEmail: email });
      await askForMail(tx, workflows, clientId, 'email_change_present', id);
      await askForMail(tx, workflows, clientId, 'email_change_new', id);
      const details = detailsOf(ofCompany);
      await addRequestAudit(tx, { clientId, source, action: 'email_change_asked', target: memberId, details });
    });
  };

/**
 * Confirms a change for the address to which the link was mailed. Returns whether the address has changed, which the
 * second confirmation does. Links that were mailed to the earlier address then set no password any more.
 */
export const confirmEmailChange =
  ({ db }: Pick<AccountDeps, 'db'>) =>
  async ({ token, origin }: { token: string; origin: Origin }): Promise<{ readonly changed: boolean }> => {
    const tokenHash = hashToken(token);
    const [found] = await db.readPrepared({ auth: true }, EMAIL_CHANGE_OF_TOKEN, { tokenHash });
    if (found === undefined) throw linkRefused();
    const { id, clientId } = found;
    const confirming = db.account(clientId).transactional(async (tx) => {
      // The client's row is locked first, so that of two confirmations at once the second sees the first.
      await lockClient(tx, clientId);
      const change = await confirmOneSide(tx, id, tokenHash);
      if (change === undefined) throw linkRefused();
      if (change.presentConfirmedAt === null || change.newConfirmedAt === null) return { changed: false };
      const { memberId, ofCompany, presentEmail, newEmail } = change;
      const changed = ofCompany
        ? await setCompanyEmail(tx, clientId, presentEmail, newEmail)
        : await setMemberEmail(tx, memberId, presentEmail, newEmail);
      if (changed === undefined) throw linkRefused();
      await deleteEmailChanges(tx, { clientId, ...(ofCompany ? { ofCompany } : { memberId, ofCompany }) });
      if (!ofCompany) {
        await PASSWORD_RESETS.useAll(tx, memberId);
        // Strangers may have locked an address that nobody had; both mailboxes have just been read by the member.
        await endLocks(tx, emailHash(newEmail));
      }
      const by = { clientId, actor: 'client', ip: origin.ip } as const;
      await addAudit(tx, { ...by, action: 'email_changed', target: memberId, details: detailsOf(ofCompany) });
      return { changed: true };
    });
    return confirming.catch((error: unknown) => {
      throw mapDbError(error);
    });
  };
