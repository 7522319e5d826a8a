import type { ProvenIdentity } from './identity-providers.ts';

/** What the browser keeps, encrypted, between the two requests of a sign-in. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Signs a person in at the identity provider of the console, in the browser. */
export interface IdentitySignIn {
  /** Returns the provider's page. Throws `SignInRefused` when the provider does not answer. */
  begin(): Promise<{ readonly url: string; readonly secrets: SignInSecrets }>;
  /** Takes the query that the provider sent the browser back with. Throws `SignInRefused`. */
  finish(query: string, secrets: SignInSecrets): Promise<ProvenIdentity>;
}
