const MINUTE = 60_000;

/** A Pix code can be paid for this long after it was made. */
export const CHARGE_LIFETIME_MS = 3 * 24 * 60 * MINUTE;

/** A code that is shown can still be paid for at least this long; otherwise a new one is made. */
export const LEAST_TIME_TO_PAY_MS = 60 * MINUTE;

/** The shortest and the longest lifetime that providers accept. */
export const SHORTEST_CHARGE_LIFETIME_MS = 30 * MINUTE;
export const MAX_CHARGE_LIFETIME_MS = 30 * 24 * 60 * MINUTE;
