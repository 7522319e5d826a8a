/** Only ids, because anybody who holds a token can read it. */
export interface AccessTokenClaims {
  readonly clientId: string;
  readonly sessionId: string;
}

export interface AccessTokens {
  /** The issuer that the service's own tokens name. */
  readonly issuer: string;
  readonly lifetimeMs: number;
  issue(claims: AccessTokenClaims): string;
  /** Throws `token_expired` or `token_invalid`. */
  read(token: string): AccessTokenClaims;
}
