/**
 * For this many years after the payment, or after the issue of the receipt where that was later, the receipt is kept
 * complete, even against a request of the debtor: until then somebody may claim the debt again (Civil Code, art. 206
 * § 5 I) or claim damages for a wrong charge (Consumer Code, art. 27), and the receipt is evidence for both sides.
 */
export const RECEIPT_DUTY_YEARS = 5;
