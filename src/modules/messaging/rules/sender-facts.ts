export const SENDER_QUALITIES = ['good', 'low', 'blocked'] as const;
/** `low`: people complain, and the sender should slow down. `blocked`: the channel lets the sender send nothing now. */
export type SenderQuality = (typeof SENDER_QUALITIES)[number];

/**
 * With every kind except `unknown_outcome` the message was certainly not sent.
 * - `retryable`: a later attempt may succeed, at the earliest after `retryAfterSeconds`.
 * - `window_closed`: free text is not allowed now, but a template is.
 * - `undeliverable`: the channel cannot reach this person.
 * - `opted_out`: the person asked the channel for silence, so no other channel may carry the message either.
 * - `rejected`: the channel refuses the content or its template.
 * - `suspended`: the sender may not send at the moment (quality, payment, policy); an operator has to act.
 * - `unauthorized`: the credentials are wrong; an operator has to act.
 * - `unknown_outcome`: the message may have been sent, so it is never repeated.
 */
export const MESSAGING_ERROR_KINDS = [
  'retryable',
  'window_closed',
  'undeliverable',
  'opted_out',
  'rejected',
  'suspended',
  'unauthorized',
  'unknown_outcome',
] as const;
export type MessagingErrorKind = (typeof MESSAGING_ERROR_KINDS)[number];
