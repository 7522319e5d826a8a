/** The e-mails that a client receives about its own account. */
export const ACCOUNT_MAILS = [
  'password_reset',
  'email_confirmation',
  'api_key_created',
  'password_changed',
  'login_locked',
] as const;
export type AccountMail = (typeof ACCOUNT_MAILS)[number];

export interface AccountMailRequest {
  readonly clientId: string;
  /** A unique id for each e-mail. */
  readonly requestId: string;
  readonly kind: AccountMail;
}

/** For runs that began before `send-account-mail` existed. */
export type PasswordResetRequest = Omit<AccountMailRequest, 'kind'>;
