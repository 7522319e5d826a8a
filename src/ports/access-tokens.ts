/** Ids only: a token is readable by whoever holds it. */
export interface AccessTokenClaims {
  readonly clientId: string;
  readonly sessionId: string;
}

export interface AccessTokens {
  /** What our own tokens name as their issuer. */
  readonly issuer: string;
  readonly lifetimeMs: number;
  issue(claims: AccessTokenClaims): string;
  /** Throws `token_expired` or `token_invalid`. */
  read(token: string): AccessTokenClaims;
}
