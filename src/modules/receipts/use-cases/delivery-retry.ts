/**
 * The waits cover a restart of the mail server, a longer outage, and a repair on the next morning. Then the delivery
 * fails.
 */
const WAITS_MS = [60_000, 10 * 60_000, 60 * 60_000, 6 * 60 * 60_000, 18 * 60 * 60_000];

/** Returns when a delivery that certainly failed is attempted again, or null after the last attempt. */
export function deliveryRetryAt(now: number, attempts: number, atLeastMs: number | null): number | null {
  const wait = WAITS_MS[attempts - 1];
  return wait === undefined ? null : now + Math.max(wait, atLeastMs ?? 0);
}
