import type { ErrorCode } from '../../../kernel/errors.ts';
import { LOCK_MINUTES } from '../../../kernel/login-limits.ts';

export interface ProblemText {
  readonly cause: string;
  readonly remedy: string;
}

/** The cause and remedy of each code on the page `/problems/<code>`. */
export const PROBLEM_TEXTS: Readonly<Record<ErrorCode, ProblemText>> = {
  malformed_json: {
    cause: 'The body is missing, cut off, or not well-formed JSON.',
    remedy: 'Send one JSON value in UTF-8 with `Content-Type: application/json`.',
  },
  validation_failed: {
    cause: 'The request was understood, but some of its values break a rule.',
    remedy:
      'Read `errors` in the answer: each entry names the place (`pointer` or `parameter`), a `code` and what was expected. All problems are listed at once.',
  },
  unauthenticated: {
    cause: 'The request carries no credential.',
    remedy: 'Send `Authorization: Bearer <access token or API key>`.',
  },
  token_invalid: {
    cause: 'The bearer value is not a valid token or key, was revoked, or its session has ended.',
    remedy: 'Log in again, or use the current API key.',
  },
  token_expired: {
    cause: 'The access token has expired.',
    remedy: 'Exchange the refresh token at `POST /api/auth/refresh`, or log in again.',
  },
  invalid_credentials: {
    cause: 'E-mail and password do not match. The answer does not say which of the two is wrong.',
    remedy: `Check both values. After five wrong attempts in a row the e-mail is locked for ${LOCK_MINUTES} minutes; a password reset ends the lock.`,
  },
  identity_not_linked: {
    cause:
      'The identity provider confirms an e-mail that belongs to another account here. Accounts are never linked by e-mail.',
    remedy:
      'Log in to that account with its own credentials, or reset its password. An account whose address was not confirmed before has lost its password, API key and sessions by this call.',
  },
  refresh_token_invalid: {
    cause: 'The refresh token is unknown, expired or revoked.',
    remedy: 'Log in again.',
  },
  refresh_token_reused: {
    cause:
      'The refresh token had been used before, which happens when it was stolen. All sessions of the account were ended.',
    remedy: 'Log in again, and make sure that one process uses each refresh token once.',
  },
  access_token_required: {
    cause: 'An API key was sent to an operation that only a person with a session may use.',
    remedy: 'Log in and send the access token.',
  },
  second_factor_required: {
    cause: 'The password is right, and the member has a second factor, whose code is still to come.',
    remedy:
      'Send the `challenge` of the body with a code of the app, or a recovery code, within 5 minutes. A token of an identity provider needs a sign-in with more than a password.',
  },
  step_up_required: {
    cause:
      'The operation is one for which a member with a second factor proves it again, and the session has not done so in the last 5 minutes.',
    remedy: 'Send a code to `POST /api/auth/step-up` and repeat the call.',
  },
  signature_invalid: {
    cause: 'The signature is missing or does not match the signed content.',
    remedy: 'Open links exactly as they were sent. For notifications, check the shared secret and the signed text.',
  },
  account_inactive: {
    cause: 'The account is paused or cancelled.',
    remedy: 'Contact support.',
  },
  signup_closed: {
    cause: 'This service serves one company (`SINGLE_CLIENT=true`), which has signed up already.',
    remedy: 'Ask an owner of that company for an invitation.',
  },
  role_insufficient: {
    cause: 'What was asked for needs a role that the member does not have. An API key acts as a manager.',
    remedy: 'Ask an owner of the account to do it, or to give you another role.',
  },
  second_factor_missing: {
    cause: 'An owner of the account asks every member for a second factor, and this one has none.',
    remedy: 'Set one up: `POST /api/onboarding/me/totp`. Until then, only that and the logout are allowed.',
  },
  client_mismatch: {
    cause: 'The `clientId` in the body does not belong to the credential.',
    remedy: 'Send the id that signup returned for this account.',
  },
  origin_refused: {
    cause: 'A form of this service was sent from a page of another site.',
    remedy: 'Open the page itself and press the button there.',
  },
  not_found: {
    cause: 'Nothing with this address or id exists, or it belongs to another client.',
    remedy: 'Check the address and the id, and use a credential of the client that owns it.',
  },
  method_not_allowed: {
    cause: 'The address exists, but it does not accept this method.',
    remedy: 'The `Allow` header lists the methods that the address accepts.',
  },
  email_taken: {
    cause: 'An account with this e-mail exists.',
    remedy: 'Log in, or reset the password.',
  },
  last_owner: {
    cause: 'An account keeps at least one owner, and this member is its last.',
    remedy: 'Make another member an owner first.',
  },
  campaign_not_draft: {
    cause: 'Debts are imported, and campaigns launched, only while the campaign is a draft.',
    remedy: 'Create another campaign.',
  },
  campaign_empty: {
    cause: 'The campaign has no debts.',
    remedy: 'Import debts, then launch.',
  },
  campaign_state: {
    cause: 'The status of the campaign does not allow this operation.',
    remedy:
      'Read its `status`: a running campaign can be paused, a paused one can be resumed, and an archived one cannot be changed.',
  },
  case_taken: {
    cause: 'Since you looked, another member has taken the case, or it was given to somebody else.',
    remedy: 'Read the case again. Send the call without `seen` to give it to somebody nevertheless.',
  },
  selection_changed: {
    cause: 'The debts that the call selects are not as many as `expect` says, because some have come or gone since.',
    remedy: 'Search again, show the new number, and repeat the call with it.',
  },
  debt_state: {
    cause: 'The status of the debt does not allow this operation.',
    remedy: 'Read its `status` and timeline.',
  },
  payment_not_confirmed: {
    cause: 'A receipt is issued only for a confirmed payment.',
    remedy: 'Wait until the payment is `APPROVED`.',
  },
  email_not_confirmed: {
    cause: 'Contacting real people needs an account whose e-mail address its owner has confirmed.',
    remedy:
      'Open the link of the confirmation mail; `POST /api/onboarding/me/confirmation` sends another one. Meanwhile, launch with `?sandbox=true`.',
  },
  client_not_verified: {
    cause: 'Contacting real people needs a company that the operator of this service has checked.',
    remedy:
      'Enter the CNPJ and ask the operator, or launch with `?sandbox=true`. A change of name or CNPJ ends an earlier check.',
  },
  client_state: {
    cause:
      'An operator asked for a change that the state of the account does not allow: a cancelled one stays so, and data that have changed since the operator read them are not verified.',
    remedy: 'Read the account again: its `status` says what is possible, and data that have changed are compared anew.',
  },
  already_verified: {
    cause: 'The company is verified as it is now: nothing has changed since.',
    remedy: 'There is nothing to do. A change of name, CNPJ or address asks for another verification.',
  },
  creditor_incomplete: {
    cause:
      'The law requires name, CNPJ and address of the creditor in every collection, and payments and messages use the company’s own accounts.',
    remedy:
      'Complete CNPJ and address with `PATCH /api/onboarding/me`, and have the operator connect the provider and channel.',
  },
  channel_not_ready: {
    cause:
      'A channel of the campaign is not connected or does not work, has not approved the templates of the messages, or its short messages have no room for name and address of the creditor. `missing` names each problem.',
    remedy:
      'Have the operator connect the channel or push the templates, and wait for their approval; shorten name or address; or choose other `channels` for the campaign. A campaign without `channels` needs one channel that is ready.',
  },
  contact_blocked: {
    cause:
      'The contact policy does not allow a message to this debtor now. `verdict` names the rules and, where there is one, the earliest moment.',
    remedy:
      'Write again from `notBefore` on, or when the debtor has written. After an opt-out or a wrong person nobody may write.',
  },
  offer_outside_policy: {
    cause:
      'The offer gives more than the policy of the company allows, or the company has no policy. `errors` names each limit that it passes.',
    remedy:
      'Offer less, change the policy with `PUT /api/offers/policy`, or have an owner of the account send `confirm: true`. Without a policy nothing can be offered.',
  },
  offer_ended: {
    cause:
      'The last day of the offer is over, one of its debts has changed, the company took its offers back, or another call has accepted it or another offer about one of its debts.',
    remedy:
      'Read the offers of the debt again with `GET /api/debts/:id/offers`, or its agreement with `GET /api/agreements`.',
  },
  notice_missing: {
    cause:
      'A debtor has to be told in writing before a debt is listed at a credit bureau: at least 10 days, or longer where the law of the debtor’s state says so. `detail` says how long.',
    remedy: 'Tell the debtor, wait for the days, list the debt, and record it with the day of the notice.',
  },
  refund_impossible: {
    cause:
      'The payment has not so much left, was made too long ago, or did not come through a provider that gives money back. `detail` says which.',
    remedy:
      'Read the payments of the debt with `GET /api/debts/:id/payments`. Money that you received elsewhere goes back by the way it came.',
  },
  quittance_impossible: {
    cause:
      'A year can be quitted once it is over and all bills of it that are known here are paid. `detail` says what is missing.',
    remedy:
      'Read the year with `GET /api/annual-quittances`: `refusals` names the bills. Settle what was paid elsewhere, and withdraw what is not owed.',
  },
  idempotency_running: {
    cause:
      'An earlier call with this `Idempotency-Key` has not been answered yet. After a crash of the service this lasts for up to a minute.',
    remedy: 'Repeat the call with the same key a little later; it then gets the answer of the first one.',
  },
  request_timeout: {
    cause: 'The request took too long to arrive: headers have 10 s, a body 60 s, and the body of an import 5 minutes.',
    remedy: 'Send the request again over a steadier connection; split a large import into several.',
  },
  payload_too_large: {
    cause: 'The body or a header is larger than the limit of this address.',
    remedy: 'Send less at once: split a large import into several.',
  },
  unsupported_media_type: {
    cause: 'This address does not accept the `Content-Type` or the encoding of the body.',
    remedy: 'Send `application/json` in UTF-8, or `multipart/form-data` where a file is expected.',
  },
  password_login_unavailable: {
    cause: 'The account was created by an identity provider and has no password.',
    remedy: 'Log in through that provider.',
  },
  idempotency_key_reused: {
    cause:
      'The `Idempotency-Key` was used for the same operation with another path, query or body in the last 24 hours.',
    remedy: 'Choose a new key for every new call. Keep the key only when you repeat a call unchanged.',
  },
  account_locked: {
    cause: `Five wrong passwords in a row locked password login for this e-mail for ${LOCK_MINUTES} minutes.`,
    remedy: 'Wait `retryAfterSeconds`, or reset the password. Sessions and API keys keep working.',
  },
  rate_limited: {
    cause: 'Too many requests came from this address in a minute.',
    remedy: 'Wait for the number of seconds in `Retry-After`.',
  },
  internal_error: {
    cause: 'An internal error occurred. It was logged.',
    remedy: 'Try again later, and give the `requestId` when you ask for help.',
  },
  unavailable: {
    cause: 'The database or a required external service cannot be reached at the moment.',
    remedy: 'Repeat the request after `Retry-After` seconds.',
  },
};
