/** Only ids, because anybody who holds a token can read it. */
export interface AccessTokenClaims {
  readonly clientId: string;
  readonly sessionId: string;
}

export interface IssuedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

export interface AccessTokens {
  /** The issuer that the service's own tokens name. */
  readonly issuer: string;
  readonly lifetimeMs: number;
  /** Issues a token that lives `lifetimeMs`, or less when its session ends earlier. */
  issue(claims: AccessTokenClaims, sessionSeconds?: number): IssuedToken;
  /** Throws `token_expired` or `token_invalid`. */
  read(token: string): AccessTokenClaims;
}
