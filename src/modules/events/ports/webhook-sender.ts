/** Posts events to the addresses that clients have given. The addresses are not trusted: they must reach nothing inside. */

/** The longest beginning of an answer's body that is kept for the client. */
export const KEPT_RESPONSE_CHARACTERS = 1_024;

export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Why an attempt failed:
 * - `url_invalid`: the address may not be called any more, by the rules for new ones.
 * - `address_refused`: its name leads to a private or otherwise special address.
 * - `name_not_resolved`, `connection_failed`, `tls_failed`, `timeout`: nothing answered in full.
 * - `redirected`: the answer was a redirect, which is not followed.
 * - `status`: the answer was another status than 2xx.
 */
export type WebhookFailure =
  | 'url_invalid'
  | 'address_refused'
  | 'name_not_resolved'
  | 'connection_failed'
  | 'tls_failed'
  | 'timeout'
  | 'redirected'
  | 'status';

export interface WebhookAnswer {
  /** Null when the receiver took the event. */
  readonly failure: WebhookFailure | null;
  /** Null when there was no answer. */
  readonly status: number | null;
  /** How long the receiver asked to be left alone, with 429 or 503. */
  readonly retryAfterSeconds: number | null;
  /** The beginning of the body. */
  readonly response: string | null;
}

export interface WebhookSender {
  /**
   * Says in words what is wrong with an address, or returns null. A name that cannot be resolved now is accepted, because
   * the address is checked again, where it is really connected to, at each post.
   */
  check(url: string): Promise<string | null>;
  /** Never rejects: whatever goes wrong is a failed attempt. */
  post(request: WebhookPost): Promise<WebhookAnswer>;
}
