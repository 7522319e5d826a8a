import type { SignedNotification } from '../rules/webhook-signature.ts';

export interface VerifiedNotification {
  /** The id exactly as it was signed; `null` when the notification carries none. The caller may use no other id. */
  readonly dataId: string | null;
}

/**
 * Returns `null` for a missing or wrong signature. Any of the secrets may have signed, so that secrets can be rotated.
 */
export type WebhookVerifier = (
  notification: SignedNotification,
  secrets: readonly string[],
) => VerifiedNotification | null;
