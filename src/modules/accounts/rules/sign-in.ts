/** How long a sign-in at the identity provider may take. */
export const SIGN_IN_MINUTES = 10;

/** Why a sign-in at the identity provider opens no session. The login page of the console explains each. */
export type SignInRefusal =
  /** The person, or the provider for the person, did not agree. */
  | 'sign_in_denied'
  /** It took too long, was begun in another browser, or had ended before. */
  | 'sign_in_expired'
  /** The e-mail address has an account with a password. */
  | 'identity_not_linked'
  /** The deployment serves one company, and this person has no place in it. */
  | 'signup_closed'
  /** The provider does not vouch for an e-mail address. */
  | 'email_unverified'
  | 'email_not_corporate'
  | 'account_inactive'
  /** The provider's ID token is not valid. */
  | 'token_invalid'
  | 'unavailable';

export class SignInRefused extends Error {
  readonly reason: SignInRefusal;

  constructor(reason: SignInRefusal, cause?: unknown) {
    super(`the sign-in was refused: ${reason}`, cause === undefined ? undefined : { cause });
    this.name = 'SignInRefused';
    this.reason = reason;
  }
}
