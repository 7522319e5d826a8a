/**
 * For this many years after the payment, or after the issue of the receipt where that was later, the receipt is kept
 * complete, even against a request of the debtor: until then somebody may claim the debt again (Civil Code, art. 206
 * § 5 I) or claim damages for a wrong charge (Consumer Code, art. 27), and the receipt is evidence for both sides.
 */
export const RECEIPT_DUTY_YEARS = 5;

/** Older entries of the audit log are purged. The API reference says "two years". */
export const AUDIT_LOG_DAYS = 730;

/** A notification of a payment is purged so many days after it was handled. */
export const PAYMENT_NOTIFICATION_DAYS = 90;

/**
 * A payment may be refunded for so many days: Mercado Pago's limit for refunds, and longer than banks may take a Pix back
 * (80 days). For so long the credentials are kept of a payment account that was replaced.
 */
export const REFUNDABLE_DAYS = 180;

/** Credentials of a payment account that was replaced are kept at least so long, for requests that are under way. */
export const REPLACED_ACCOUNT_DAYS = 1;

/** The result of a button on the debtor's page is shown at once or never. */
export const CHECKOUT_NOTICE_DAYS = 1;

/** The first answer to a call with an `Idempotency-Key` is given again for so long. */
export const IDEMPOTENCY_KEY_HOURS = 24;

/** An account that is not confirmed in so many days and has no campaign is deleted. */
export const UNCONFIRMED_ACCOUNT_DAYS = 14;

/** No cap counts older contacts: the longest cap looks back 168 hours, and the rest is a margin. */
export const COUNTED_CONTACT_DAYS = 8;

/** A file that a debtor sent is kept so long for the client's staff, and then deleted with its name. */
export const ATTACHMENT_DAYS = 180;

/** A message from somebody without a debt is kept so long, in case the client has to find out who wrote. */
export const UNMATCHED_MESSAGE_DAYS = 30;

/** What was sent can be recognised by its hash for so long: the contract of "É verdade?" says 180 days. */
export const SENT_TEXT_DAYS = 180;

/** A payment of which nobody has said which debt it is for is forgotten after so long. */
export const UNMATCHED_PAYMENT_DAYS = 180;

/** Events and their deliveries to webhooks are kept so long. The API reference says "30 days". */
export const EVENT_DAYS = 30;

/**
 * Timeline and messages of a debt are kept for so many days after its end, unless the operator has set another time for
 * the client. For five years the debtor may claim damages for how the debt was collected (Consumer Code, art. 27).
 */
export const TIMELINE_DAYS = 1_826;

/** Until then a payment may be returned and a debtor's file is kept, and staff need to see what they belong to. */
export const SHORTEST_TIMELINE_DAYS = Math.max(REFUNDABLE_DAYS, ATTACHMENT_DAYS, EVENT_DAYS, COUNTED_CONTACT_DAYS);

/** Ten years, the longest limitation period of the Civil Code (art. 205). Data has to have an end (LGPD, arts. 15 and 16). */
export const MAX_TIMELINE_DAYS = 3_653;

/** How long an invitation that nobody accepted can be sent again after its end. */
export const EXPIRED_INVITATION_DAYS = 30;
