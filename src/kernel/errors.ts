/** Every error leaves the service through this table, so that each code has one status and one title. */
export const ERRORS = {
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  validation_failed: { status: 400, title: 'The request is not valid' },
  unauthenticated: { status: 401, title: 'Credentials are missing' },
  token_invalid: { status: 401, title: 'The token is not valid' },
  token_expired: { status: 401, title: 'The token has expired' },
  invalid_credentials: { status: 401, title: 'E-mail or password is wrong' },
  identity_not_linked: { status: 401, title: 'The identity is not linked to an account' },
  refresh_token_invalid: { status: 401, title: 'The refresh token is not valid' },
  refresh_token_reused: { status: 401, title: 'The refresh token was used before' },
  access_token_required: { status: 401, title: 'An access token is required' },
  second_factor_required: { status: 401, title: 'The second factor is still to come' },
  step_up_required: { status: 401, title: 'The second factor is needed again' },
  signature_invalid: { status: 401, title: 'The signature is missing or wrong' },
  role_insufficient: { status: 403, title: 'The role of the member does not allow this' },
  second_factor_missing: { status: 403, title: 'The company asks for a second factor' },
  account_inactive: { status: 403, title: 'The account is not active' },
  signup_closed: { status: 403, title: 'The sign-up is closed' },
  client_mismatch: { status: 403, title: 'The clientId is not that of the caller' },
  origin_refused: { status: 403, title: 'The request comes from another site' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  email_taken: { status: 409, title: 'The e-mail already has an account' },
  last_owner: { status: 409, title: 'An account keeps at least one owner' },
  campaign_not_draft: { status: 409, title: 'The campaign is not a draft' },
  campaign_empty: { status: 409, title: 'The campaign has no debts' },
  campaign_state: { status: 409, title: 'The campaign is in a state that does not allow this' },
  debt_state: { status: 409, title: 'The debt is in a state that does not allow this' },
  payment_not_confirmed: { status: 409, title: 'The payment is not confirmed' },
  email_not_confirmed: { status: 409, title: 'The e-mail address is not confirmed yet' },
  client_not_verified: { status: 409, title: 'The operator has not verified this company yet' },
  client_state: { status: 409, title: 'The account is in a state that does not allow this' },
  already_verified: { status: 409, title: 'The company is already verified' },
  creditor_incomplete: { status: 409, title: 'Data of the creditor is missing' },
  channel_not_ready: { status: 409, title: 'A channel of the campaign is not ready' },
  contact_blocked: { status: 409, title: 'The contact policy does not allow this message' },
  case_taken: { status: 409, title: 'Another member has taken this case meanwhile' },
  selection_changed: { status: 409, title: 'The selection has another number of debts than expected' },
  offer_outside_policy: { status: 409, title: 'The offer is outside the policy of the company' },
  offer_ended: { status: 409, title: 'The offer has ended' },
  notice_missing: { status: 409, title: 'The notice before the listing is missing or too late' },
  refund_impossible: { status: 409, title: 'This money cannot be given back' },
  quittance_impossible: { status: 409, title: 'This year cannot be quitted' },
  idempotency_running: { status: 409, title: 'A call with this Idempotency-Key is still running' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  password_login_unavailable: { status: 422, title: 'The account has no password' },
  idempotency_key_reused: { status: 422, title: 'The Idempotency-Key was used for another request' },
  account_locked: { status: 423, title: 'The account is locked' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'The service is unavailable for the moment' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/**
 * One problem of the input, located by a `pointer` (RFC 6901) into the body or by a `parameter` of the query or path.
 */
export interface FieldProblem {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly code: string;
  readonly message: string;
}

/** What a channel lacks before a campaign can be launched over it. */
export interface MissingOnChannel {
  readonly channel: string;
  /** Null when it is not about a template. */
  readonly template: string | null;
  /** One word, with details behind it. */
  readonly reason: string;
}

/** A refusal of the contact policy, as the caller may see it. */
export interface BlockedVerdict {
  readonly allowed: boolean;
  readonly rules: readonly string[];
  readonly ruleIds: readonly string[];
  readonly pack: { readonly id: string; readonly version: string };
  readonly notBefore: string | null;
}

export interface AppErrorOptions {
  readonly detail?: string;
  readonly errors?: readonly FieldProblem[];
  /** Sent as the header `Retry-After` and as `retryAfterSeconds` in the body. */
  readonly retryAfterSeconds?: number;
  /** Sent as the member `missing` of the body. */
  readonly missing?: readonly MissingOnChannel[];
  /** Sent as the member `verdict` of the body. */
  readonly verdict?: BlockedVerdict;
  /** Sent as the member `challenge` of the body: what a login goes on with. */
  readonly challenge?: string;
  readonly cause?: unknown;
}

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly FieldProblem[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly detail: string | undefined;
  readonly missing: readonly MissingOnChannel[] | undefined;
  readonly verdict: BlockedVerdict | undefined;
  readonly challenge: string | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.detail ?? ERRORS[code].title, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.detail = options.detail;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.missing = options.missing;
    this.verdict = options.verdict;
    this.challenge = options.challenge;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}
