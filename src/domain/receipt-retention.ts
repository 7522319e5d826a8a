/**
 * For so many years after the payment, or after the receipt's issue where that was later, the receipt is kept whole,
 * whatever the debtor asks: until then the debt may be claimed once more (Civil Code, art. 206 § 5 I) or damages for a
 * wrong charge may be (Consumer Code, art. 27), and the receipt is the proof of both sides.
 */
export const RECEIPT_DUTY_YEARS = 5;
