/** Encrypts the clients' credentials that the database stores. */
export interface CredentialCipher {
  /**
   * Binds the result to `context` (client and purpose), so that a value copied to another row cannot be opened there.
   */
  seal(plaintext: string, context: string): string;
  /** Throws `CredentialCipherError`. */
  open(sealed: string, context: string): string;
  /** False for a value that an older key has sealed; the caller then seals it again. */
  isCurrent(sealed: string): boolean;
}

/** `unknown_key`: no configured key sealed the value. `unreadable`: it was changed or cut, or has another context. */
export type CredentialCipherProblem = 'unknown_key' | 'unreadable';

export class CredentialCipherError extends Error {
  readonly problem: CredentialCipherProblem;

  constructor(problem: CredentialCipherProblem) {
    super(problem === 'unknown_key' ? 'no configured key opens this credential' : 'the stored credential is damaged');
    this.name = 'CredentialCipherError';
    this.problem = problem;
  }
}
