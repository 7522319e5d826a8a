const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The waits between the attempts at one delivery, as the Standard Webhooks specification recommends them. */
export const RETRY_WAITS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** Each wait is longer by a random part of it, so that deliveries which failed together do not come together again. */
const JITTER = 0.1;

/** The longest time for which a receiver may ask by `Retry-After`. */
const MAX_PAUSE_MS = HOUR;

/** A webhook whose receiver has taken nothing for so long is disabled. */
export const DISABLED_AFTER_MS = 5 * DAY;

/** For so long after a rotation, the previous secret signs too. */
export const SECRET_OVERLAP_MS = DAY;

/**
 * Returns the wait before the next attempt after `attempts` failed ones, or null when that was the last. `random` is
 * from 0 to 1.
 */
export function retryWaitMs(attempts: number, random: number): number | null {
  const wait = RETRY_WAITS_MS[attempts - 1];
  return wait === undefined ? null : Math.round(wait * (1 + JITTER * random));
}

/** How long nothing is posted to a receiver that asked for a pause; null when it did not ask. */
export const pauseMs = (retryAfterSeconds: number | null): number | null =>
  retryAfterSeconds === null ? null : Math.min(Math.max(0, retryAfterSeconds) * SECOND, MAX_PAUSE_MS);

export const hasFailedTooLong = (failingSince: Date, now: Date): boolean =>
  now.getTime() - failingSince.getTime() >= DISABLED_AFTER_MS;
