export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Returns false for a null hash, after the same time as a comparison, so that the time reveals nothing. */
  verify(hash: string | null, password: string): Promise<boolean>;
}
