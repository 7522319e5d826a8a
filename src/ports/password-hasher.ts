export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Takes as long when there is no hash to compare with: then the answer is false. */
  verify(hash: string | null, password: string): Promise<boolean>;
}
