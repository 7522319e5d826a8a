/** A mistake is found by the next reconciliation of the week; later the debtor has to be able to rely on the receipt. */
export const UNDO_DAYS = 7;
