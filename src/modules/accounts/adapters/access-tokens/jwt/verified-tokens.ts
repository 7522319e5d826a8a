import { LRUCache } from 'lru-cache';

interface Verified<Claims> {
  readonly claims: Claims;
  /** Epoch seconds, as in the token. */
  readonly expiresAt: number;
}

const CAPACITY = 10_000;

/**
 * Keeps tokens whose signature was verified until they expire, because a verification costs more than everything else
 * that a request costs here. Whether the session has ended is checked elsewhere.
 */
export function createVerifiedTokens<Claims>(now: () => number, capacity = CAPACITY) {
  const known = new LRUCache<string, Verified<Claims>>({ max: capacity });
  return {
    find(token: string): Claims | undefined {
      const verified = known.get(token);
      if (verified === undefined) return undefined;
      // A token expires by the second, and a lifetime that the cache measured would not.
      if (Math.floor(now() / 1_000) < verified.expiresAt) return verified.claims;
      known.delete(token);
      return undefined;
    },
    keep(token: string, verified: Verified<Claims>): void {
      known.set(token, verified);
    },
  };
}
