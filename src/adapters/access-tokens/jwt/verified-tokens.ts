interface Verified<Claims> {
  readonly claims: Claims;
  /** Seconds, as in the token. */
  readonly expiresAt: number;
}

const ROOM = 10_000;

/**
 * Tokens whose signature was found right stay so until they expire, and finding out anew with each request costs more
 * than all else that a request costs here. Whether a session still lives is none of a signature's business.
 */
export function createVerifiedTokens<Claims>(now: () => number, room = ROOM) {
  const known = new Map<string, Verified<Claims>>();
  return {
    find(token: string): Claims | undefined {
      const verified = known.get(token);
      if (verified === undefined) return undefined;
      if (Math.floor(now() / 1_000) < verified.expiresAt) return verified.claims;
      known.delete(token);
      return undefined;
    },
    keep(token: string, verified: Verified<Claims>): void {
      known.set(token, verified);
      if (known.size <= room) return;
      const [oldest] = known.keys();
      if (oldest !== undefined) known.delete(oldest);
    },
  };
}
