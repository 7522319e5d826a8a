/** An identity that a provider asserts; the token's signature and times have been verified. */
export interface ProvenIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly name: string | null;
  /** Whether the provider says that the person proved more than a password. */
  readonly provesFactor: boolean;
  /** How long ago the provider asked the person, in real time; null when it does not say. */
  readonly askedSecondsAgo: number | null;
}

export interface IdentityProviders {
  knows(issuer: string): boolean;
  /**
   * Verifies a token for the audience of the API, or for another one. Throws `token_expired`, `token_invalid`, or
   * `unavailable` while the provider's keys cannot be fetched.
   */
  verify(issuer: string, idToken: string, audience?: string): Promise<ProvenIdentity>;
}
