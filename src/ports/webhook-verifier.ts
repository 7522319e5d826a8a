import type { SignedNotification } from '../domain/webhook-signature.ts';

export interface VerifiedNotification {
  /** The id that was signed, as it was signed; `null` when the notification carries none. No other id may be used. */
  readonly dataId: string | null;
}

/** `null` for a missing or wrong signature. Several secrets: any may have signed, so that they rotate. */
export type WebhookVerifier = (
  notification: SignedNotification,
  secrets: readonly string[],
) => VerifiedNotification | null;
