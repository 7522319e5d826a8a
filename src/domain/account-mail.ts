/** The e-mails that a client receives about its own account. */
export const ACCOUNT_MAILS = [
  'password_reset',
  'email_confirmation',
  'api_key_created',
  'password_changed',
  'login_locked',
] as const;
export type AccountMail = (typeof ACCOUNT_MAILS)[number];
