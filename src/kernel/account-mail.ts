/** The e-mails that a company, a member of it, or the operator receives about the account. */
export const ACCOUNT_MAILS = [
  'password_reset',
  'email_confirmation',
  'api_key_created',
  'password_changed',
  'login_locked',
  'passkey_added',
  'passkey_copy_refused',
  'sender_failing',
  'sender_paused',
  'template_marketing',
  'free_messages_ending',
  'payment_suspected',
  'webhook_disabled',
  'certificate_ending',
  'member_invited',
  'email_change_present',
  'email_change_new',
  'verification_asked',
] as const;
export type AccountMail = (typeof ACCOUNT_MAILS)[number];

export interface AccountMailRequest {
  readonly clientId: string;
  /** A unique id for each e-mail. */
  readonly requestId: string;
  readonly kind: AccountMail;
  /** The id of what the mail is about, for kinds that are about one thing: also of the member that a mail goes to. */
  readonly about?: string;
}
