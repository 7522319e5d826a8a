/** Keeps the clients' credentials unreadable in the database. */
export interface CredentialCipher {
  /** `context` is bound to the result (client and purpose), so that a stolen value is worth nothing in another row. */
  seal(plaintext: string, context: string): string;
  /** Throws `CredentialCipherError`. */
  open(sealed: string, context: string): string;
  /** False for what an older key has sealed: seal it again. */
  isCurrent(sealed: string): boolean;
}

/** `unknown_key`: none of the configured keys sealed it. `unreadable`: changed, cut, or of another context. */
export type CredentialCipherProblem = 'unknown_key' | 'unreadable';

export class CredentialCipherError extends Error {
  readonly problem: CredentialCipherProblem;

  constructor(problem: CredentialCipherProblem) {
    super(problem === 'unknown_key' ? 'no configured key opens this credential' : 'the stored credential is damaged');
    this.name = 'CredentialCipherError';
    this.problem = problem;
  }
}
