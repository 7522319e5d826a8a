const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const SHORTEST_WAIT_MS = 2 * MINUTE;
const MAX_WAIT_OF_FIRST_DAY_MS = 15 * MINUTE;
const MAX_WAIT_AFTER_FAILURES_MS = 6 * HOUR;

/** A payment that was made just before the expiry may be confirmed up to this long after it. */
const CONFIRMATION_DELAY_MS = DAY;
/** For so long after the expiry the client may repair an account that cannot be asked, and no payment is lost. */
const REPAIR_TIME_MS = 30 * DAY;

/** Doubles with each failure; the first one gives `firstMs`. */
const backOff = (failures: number, firstMs: number, longestMs: number): number =>
  // The exponent is limited because the number of failures is not.
  Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 30));

export interface AskedCharge {
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** How many questions in a row the provider has not answered. */
  readonly failures: number;
}

/**
 * Returns how long to wait before the next question about a charge. Most payments come soon after the charge: on its
 * first day a quarter of its age passes, at most 15 minutes; later a 24th of its age, which is an hour after a day. What
 * the provider does not answer is asked ever less often.
 */
export function questionWaitMs({ createdAt, failures }: AskedCharge, now: number): number {
  const ageMs = now - createdAt.getTime();
  const usualMs = ageMs < DAY ? Math.min(MAX_WAIT_OF_FIRST_DAY_MS, Math.max(SHORTEST_WAIT_MS, ageMs / 4)) : ageMs / 24;
  if (failures === 0) return usualMs;
  return Math.max(usualMs, backOff(failures, 2 * SHORTEST_WAIT_MS, MAX_WAIT_AFTER_FAILURES_MS));
}

/** Whether nothing more can be learned about a charge that is still unpaid. */
export const questionsEnd = ({ expiresAt, failures }: AskedCharge, now: number): boolean =>
  now >= expiresAt.getTime() + (failures === 0 ? CONFIRMATION_DELAY_MS : REPAIR_TIME_MS);

export interface AccountFailure {
  /** `refused`: somebody has to connect the account again. `unavailable`: it may answer soon. */
  readonly kind: 'refused' | 'unavailable';
  /** How many times in a row the account was paused, with this one. */
  readonly failures: number;
  readonly retryAfterSeconds: number | undefined;
}

const MAX_PAUSE_MS = { refused: HOUR, unavailable: 15 * MINUTE } as const;

/** Returns how long an account is not asked about any of its charges. */
export const accountPauseMs = ({ kind, failures, retryAfterSeconds = 0 }: AccountFailure): number =>
  Math.max(backOff(failures, SHORTEST_WAIT_MS, MAX_PAUSE_MS[kind]), retryAfterSeconds * 1_000);
