import type { MessagingErrorKind } from '../../ports/messaging-channel.ts';

/** What an error code of the Cloud API means for the caller. */
export interface Meaning {
  readonly kind: MessagingErrorKind;
  /** `recipient` when absent. */
  readonly scope?: 'sender';
  readonly waitSeconds?: number;
}

const WRONG_CREDENTIALS: Meaning = { kind: 'unauthorized' };
const TOO_FAST: Meaning = { kind: 'retryable', scope: 'sender' };
const PASSING: Meaning = { kind: 'retryable' };
const UNREACHABLE: Meaning = { kind: 'undeliverable' };
const REFUSED: Meaning = { kind: 'rejected' };
const SUSPENDED: Meaning = { kind: 'suspended' };

/** The codes that Meta documents. Meta asks its callers to decide by them, and neither by HTTP status nor by titles. */
const MEANINGS: readonly (readonly [codes: readonly number[], meaning: Meaning])[] = [
  // The token is wrong, has expired or has lost a permission, or the number does not exist any more.
  [[0, 3, 10, 33, 102, 104, 190, 131005], WRONG_CREDENTIALS],
  // Limits of the app, of the business account and of the number.
  [[4, 17, 32, 613, 80007, 80008, 130429, 133016], TOO_FAST],
  // WhatsApp itself is down or overloaded.
  [[2, 131016, 133004], TOO_FAST],
  [[131057, 2494100], { kind: 'retryable', scope: 'sender', waitSeconds: 60 }],
  // 131056 is the limit of one pair of sender and recipient; `pairWaits` adds how long to wait.
  [[1, 131000, 131053, 131056], PASSING],
  [[131047], { kind: 'window_closed' }],
  // No WhatsApp, an old app, blocked by this business, held back by Meta's limits for the person, no phone number known.
  [[130403, 130472, 131026, 131049, 131062], UNREACHABLE],
  // The person asked WhatsApp to stop messages of this business, so another channel must not carry the message either.
  [[131050], { kind: 'opted_out' }],
  // Policy, country, test number, display name, payment, registration, spam, wrong categories of templates, terms.
  [[368, 130497, 131030, 131031, 131037, 131042, 131045, 131048, 131064, 133010, 134011], SUSPENDED],
  // Parameters, and content that cannot be sent; 2040 is an order that this person's WhatsApp cannot show.
  [[100, 2040, 131008, 131009, 131021, 131051, 131052, 131055, 135000], REFUSED],
  // Templates: wrong parameters, missing, too long, against the policy, marketing switched off, paused, disabled.
  [[131063, 132000, 132001, 132005, 132007, 132012, 132015, 132016, 132018, 132068, 132069], REFUSED],
];
const BY_CODE: ReadonlyMap<number, Meaning> = new Map(
  MEANINGS.flatMap(([codes, meaning]) => codes.map((code) => [code, meaning] as const)),
);

export const PAIR_LIMIT = 131056;
/** "Invalid request or possible server error": with a server error, nobody knows whether the work was done. */
const UNCLEAR = 1;

const meaningOf = (code: number): Meaning | undefined =>
  BY_CODE.get(code) ?? (code >= 200 && code <= 299 ? WRONG_CREDENTIALS : undefined);

export interface AnswerError {
  readonly status: number;
  /** `null` when the body contains no error of the Graph API. */
  readonly code: number | null;
  /** Whether the resource does not exist for this token; the code is the same as that of a wrong parameter. */
  readonly missingResource: boolean;
  readonly transient: boolean;
}

/** Says what an answer other than 2xx means. `sends` is true for the request that sends a message. */
export function meaningOfAnswer({ status, code, missingResource, transient }: AnswerError, sends: boolean): Meaning {
  const unclear: Meaning = sends ? { kind: 'unknown_outcome' } : PASSING;
  if (missingResource) return WRONG_CREDENTIALS;
  const known = code === null ? undefined : meaningOf(code);
  // Meta gives the code of a wrong parameter to other errors as well.
  if (known === REFUSED && transient) return PASSING;
  if (known !== undefined && !(code === UNCLEAR && status >= 500)) return known;
  if (status >= 500 || status === 408 || status < 400) return unclear;
  if (status === 401 || status === 403) return WRONG_CREDENTIALS;
  if (status === 429) return TOO_FAST;
  return transient ? PASSING : REFUSED;
}

/**
 * Says why a message failed that WhatsApp had accepted. An unknown code is read as a person whom the channel does not
 * reach, so that the next channel may carry the message.
 */
export const kindOfFailedDelivery = (code: number | null): MessagingErrorKind =>
  (code === null ? undefined : meaningOf(code)?.kind) ?? 'undeliverable';
