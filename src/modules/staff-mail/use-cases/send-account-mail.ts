import type { AccountMailRequest } from '../../../kernel/account-mail.ts';
import { AppError } from '../../../kernel/errors.ts';
import { type Mailer, MailerError } from '../../../kernel/ports/mailer.ts';
import { statisticsMonth } from '../../../kernel/statistics-day.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Email } from '../../../platform/mail/email.ts';
import { ADDRESSEE, lockClient } from '../../accounts/queries/clients.ts';
import { SET_EMAIL_CHANGE_TOKEN, type Side } from '../../accounts/queries/email-changes.ts';
import { SET_INVITATION_TOKEN } from '../../accounts/queries/invitations.ts';
import { ADDRESS_OF_MEMBER } from '../../accounts/queries/members.ts';
import { EMAIL_CONFIRMATIONS, PASSWORD_RESETS } from '../../accounts/queries/one-time-tokens.ts';
import {
  EMAIL_CHANGE_HOURS,
  EMAIL_CONFIRMATION_HOURS,
  INVITATION_DAYS,
  PASSWORD_RESET_MINUTES,
} from '../../accounts/rules/token-lifetimes.ts';
import { hashToken, newOpaqueToken } from '../../accounts/use-cases/opaque-token.ts';
import { READ_WEBHOOK } from '../../events/queries/webhooks.ts';
import { SENDER_BY_ID } from '../../messaging/queries/channel-senders.ts';
import { MARKETING_TEMPLATES } from '../../messaging/queries/channel-templates.ts';
import { ACCOUNT_WITH_CERTIFICATE } from '../../payments/queries/payment-accounts.ts';
import { nameOfAccount } from '../../payments/rules/account-at-bank.ts';
import { PIX_PROFILES } from '../../payments/rules/pix-profiles.ts';
import {
  apiKeyCreatedEmail,
  loginLockedEmail,
  passkeyAddedEmail,
  passkeyCopyRefusedEmail,
  passwordChangedEmail,
} from '../texts/account-notices.ts';
import { certificateEndingEmail } from '../texts/certificate-ending-email.ts';
import { emailChangeEmail } from '../texts/email-change-email.ts';
import { emailConfirmationEmail } from '../texts/email-confirmation-email.ts';
import { memberInvitedEmail } from '../texts/member-invited-email.ts';
import { passwordResetEmail } from '../texts/password-reset-email.ts';
import {
  freeMessagesEndingEmail,
  paymentSuspectedEmail,
  senderFailingEmail,
  senderPausedEmail,
} from '../texts/sender-notices.ts';
import { templatesMovedEmail } from '../texts/templates-moved-email.ts';
import { verificationAskedEmail } from '../texts/verification-asked-email.ts';
import { webhookDisabledEmail } from '../texts/webhook-disabled-email.ts';

export interface SendAccountMailDeps {
  readonly db: Pick<Database, 'readPrepared' | 'writePrepared' | 'tenant'>;
  /** Null when e-mail is off. */
  readonly mailer: Mailer | null;
  readonly publicUrl: string;
  /** Whom companies ask for their verification; undefined where the operator named no address. */
  readonly operatorEmail?: string | undefined;
  readonly now: () => Date;
}

/** An address and what it is told. */
interface Letter {
  readonly to: string;
  readonly mail: Email;
}

type Kind = AccountMailRequest['kind'];
/** These go to a member, whose id `about` is. A request of the version before has none: it is about the first owner. */
const TO_MEMBERS = [
  'password_reset',
  'password_changed',
  'login_locked',
  'passkey_added',
  'passkey_copy_refused',
] as const satisfies readonly Kind[];
type MemberMail = (typeof TO_MEMBERS)[number];
const isToMember = (kind: Kind): kind is MemberMail => TO_MEMBERS.some((one) => one === kind);

/** May be retried: each attempt sends a link of its own, and the first link that is used invalidates all others. */
export const sendAccountMail = ({ db, mailer, publicUrl, operatorEmail, now }: SendAccountMailDeps) => {
  async function toMember(kind: MemberMail, { clientId, about }: AccountMailRequest): Promise<Letter | null> {
    const whom = { clientId, memberId: about ?? null };
    if (kind === 'password_reset') return resetPassword(whom);
    const [member] = await db.readPrepared({ clientId }, ADDRESS_OF_MEMBER, whom);
    if (member === undefined) return null;
    const { email: to } = member;
    if (kind === 'password_changed') return { to, mail: passwordChangedEmail() };
    if (kind === 'login_locked') return { to, mail: loginLockedEmail() };
    if (kind === 'passkey_added') return { to, mail: passkeyAddedEmail() };
    return { to, mail: passkeyCopyRefusedEmail() };
  }

  /** A change of the address locks the client's row too, so that no link of an address outlives the change. */
  async function resetPassword(whom: Parameters<typeof ADDRESS_OF_MEMBER.run>[1]): Promise<Letter | null> {
    const { clientId } = whom;
    const token = newOpaqueToken();
    const to = await db.tenant(clientId).transactional(async (tx) => {
      await lockClient(tx, clientId);
      const [member] = await ADDRESS_OF_MEMBER.run(tx, whom);
      if (member === undefined) return null;
      const link = { clientId, memberId: member.id, tokenHash: hashToken(token), minutes: PASSWORD_RESET_MINUTES };
      await PASSWORD_RESETS.INSERT.run(tx, link);
      return member.email;
    });
    if (to === null) return null;
    const resetUrl = `${publicUrl}/reset-password#${token}`;
    return { to, mail: passwordResetEmail({ resetUrl, validMinutes: PASSWORD_RESET_MINUTES }) };
  }

  /** The link of an earlier attempt works no more. */
  async function toInvited({ clientId, about }: AccountMailRequest): Promise<Letter | null> {
    if (about === undefined) return null;
    const token = newOpaqueToken();
    const hashed = { clientId, id: about, tokenHash: hashToken(token) };
    const [invited] = await db.writePrepared({ clientId }, SET_INVITATION_TOKEN, hashed);
    // It may have been taken back or have ended.
    if (invited === undefined) return null;
    const acceptUrl = `${publicUrl}/accept-invitation#${token}`;
    return { to: invited.email, mail: memberInvitedEmail({ acceptUrl, code: token, validDays: INVITATION_DAYS }) };
  }

  /** One of the two addresses of a change. The link of an earlier attempt works no more. */
  async function toChanged(side: Side, { clientId, about }: AccountMailRequest): Promise<Letter | null> {
    if (about === undefined) return null;
    const token = newOpaqueToken();
    const hashed = { clientId, id: about, tokenHash: hashToken(token) };
    const [change] = await db.writePrepared({ clientId }, SET_EMAIL_CHANGE_TOKEN[side], hashed);
    // Another wish may have taken its place.
    if (change === undefined) return null;
    const confirmUrl = `${publicUrl}/change-email#${token}`;
    const { email: to, ofCompany } = change;
    return { to, mail: emailChangeEmail({ side, ofCompany, confirmUrl, validHours: EMAIL_CHANGE_HOURS }) };
  }

  async function toOperator({ clientId }: AccountMailRequest): Promise<Letter | null> {
    const [client] = await db.readPrepared({ clientId }, ADDRESSEE, { clientId });
    // The operator may have verified it meanwhile.
    if (operatorEmail === undefined || client === undefined || client.verified) return null;
    return { to: operatorEmail, mail: verificationAskedEmail({ clientId }) };
  }

  function letterOf(request: AccountMailRequest): Promise<Letter | null> {
    const { kind } = request;
    if (isToMember(kind)) return toMember(kind, request);
    if (kind === 'member_invited') return toInvited(request);
    if (kind === 'email_change_present') return toChanged('present', request);
    if (kind === 'email_change_new') return toChanged('new', request);
    if (kind === 'verification_asked') return toOperator(request);
    return toCompany(request);
  }

  async function toCompany(request: AccountMailRequest): Promise<Letter | null> {
    const { clientId } = request;
    const [client] = await db.readPrepared({ clientId }, ADDRESSEE, { clientId });
    if (client === undefined) return null;
    const mail = await write(request, client.confirmed);
    return mail === null ? null : { to: client.email, mail };
  }

  /**
   * Returns null when the mail is no longer needed. A token is in the URL fragment, which browsers do not send to
   * servers.
   */
  async function write({ kind, clientId, about }: AccountMailRequest, confirmed: boolean): Promise<Email | null> {
    switch (kind) {
      case 'email_confirmation': {
        if (confirmed) return null;
        const token = newOpaqueToken();
        const link = { clientId, tokenHash: hashToken(token), minutes: EMAIL_CONFIRMATION_HOURS * 60 };
        await db.writePrepared({ clientId }, EMAIL_CONFIRMATIONS.INSERT, link);
        return emailConfirmationEmail({
          confirmUrl: `${publicUrl}/confirm-email#${token}`,
          validHours: EMAIL_CONFIRMATION_HOURS,
        });
      }
      case 'api_key_created':
        return apiKeyCreatedEmail();
      case 'sender_failing':
      case 'sender_paused': {
        if (about === undefined) return null;
        const [sender] = await db.readPrepared({ clientId }, SENDER_BY_ID, { clientId, id: about });
        // It may work again, or another one may have taken its place.
        if (sender === undefined || kind !== `sender_${sender.state}`) return null;
        return kind === 'sender_failing' ? senderFailingEmail(sender) : senderPausedEmail(sender);
      }
      case 'template_marketing': {
        if (about === undefined) return null;
        const templates = await db.readPrepared({ clientId }, MARKETING_TEMPLATES, { clientId, senderId: about });
        // The channel may have taken all of them back, or another sender may have taken the place of this one.
        return templates[0] === undefined ? null : templatesMovedEmail(templates[0], templates, now());
      }
      case 'free_messages_ending':
      case 'payment_suspected': {
        if (about === undefined) return null;
        const [sender] = await db.readPrepared({ clientId }, SENDER_BY_ID, { clientId, id: about });
        if (sender === undefined) return null;
        if (kind === 'payment_suspected')
          return sender.paymentSuspectedAt === null ? null : paymentSuspectedEmail(sender);
        // A mail that was late for its month would tell of the month before.
        const isOfMonth = sender.freeWarnedFor === statisticsMonth(now().getTime());
        return isOfMonth ? freeMessagesEndingEmail(sender) : null;
      }
      case 'certificate_ending': {
        if (about === undefined) return null;
        const [account] = await db.readPrepared({ clientId }, ACCOUNT_WITH_CERTIFICATE, { clientId, id: about });
        // The account may have a new certificate, or another one may have taken its place.
        if (account === undefined || account.certificateExpiresAt === null) return null;
        const { accountId, profile, certificateExpiresAt: expiresAt } = account;
        const bank = Object.entries(PIX_PROFILES).find(([name]) => name === profile && name !== 'custom')?.[1] ?? null;
        return certificateEndingEmail({ bank, key: nameOfAccount(accountId), expiresAt }, now());
      }
      case 'webhook_disabled': {
        if (about === undefined) return null;
        const [webhook] = await db.readPrepared({ clientId }, READ_WEBHOOK, { clientId, id: about });
        // It may have been deleted or enabled again since.
        if (webhook === undefined || webhook.state !== 'disabled') return null;
        return webhookDisabledEmail({ url: webhook.url, isGone: webhook.disabledReason === 'gone' });
      }
      default:
        return null;
    }
  }

  return async (request: AccountMailRequest): Promise<void> => {
    const { clientId, requestId, kind } = request;
    if (mailer === null) return;
    const letter = await letterOf(request);
    if (letter === null) return;
    const context = { clientId, debtId: null, purpose: kind, at: now() };
    try {
      await mailer.send({ id: requestId, to: letter.to, ...letter.mail, context });
    } catch (error) {
      if (!(error instanceof MailerError)) throw error;
      // An address that refuses mail will refuse it again. The person who asked receives nothing, as with a wrong
      // address.
      if (error.kind === 'rejected') return;
      throw new AppError('unavailable', { cause: error });
    }
  };
};
