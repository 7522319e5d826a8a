/** A mail server that restarts, one that is moved, one that is mended the next morning; then the failure is shown. */
const WAITS_MS = [60_000, 10 * 60_000, 60 * 60_000, 6 * 60 * 60_000, 18 * 60 * 60_000];

/** When a sending that surely failed is tried again; null after the last try. */
export function retryAt(now: number, attempts: number, atLeastMs: number | null): number | null {
  const wait = WAITS_MS[attempts - 1];
  return wait === undefined ? null : now + Math.max(wait, atLeastMs ?? 0);
}
