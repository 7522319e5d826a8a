import type { Transport } from '../rules/passkeys.ts';

/** By what a browser finds a passkey. */
export interface Credential {
  readonly credentialId: string;
  readonly transports: readonly Transport[];
}

/** What a browser hands to its passkeys, in the form of the standard, and the challenge in it. */
export interface Question {
  readonly challenge: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** What the browser gives back when it has made a passkey. Its texts are base64url. */
export interface NewKeyResponse {
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: readonly string[] | undefined;
  };
}

/** What the browser gives back when a passkey has signed. Its texts are base64url. */
export interface SignedResponse {
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string | null | undefined;
  };
}

export interface NewKey {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly deviceType: 'singleDevice' | 'multiDevice';
  readonly backedUp: boolean;
}

/** What a signature says, whose key was right. */
export interface Signed {
  readonly counter: number;
  readonly backedUp: boolean;
}

/** The rules of WebAuthn: keys of this service alone, and a person whom the device has recognised. */
export interface Passkeys {
  /** Asks for a new key. A device that has one of those refuses to make another. */
  askForKey(
    member: { readonly id: string; readonly name: string; readonly email: string },
    known: readonly Credential[],
  ): Promise<Question>;
  /** Asks for a signature by one of these keys, or by any key that the device keeps for this service. */
  askForSignature(known: readonly Credential[]): Promise<Question>;
  /** Returns null when the answer does not fit the challenge, this service or the rules. */
  readKey(answer: NewKeyResponse, challenge: string): Promise<NewKey | null>;
  /** Returns null for a signature that is wrong or was made for something else. The caller compares the counter. */
  readSignature(answer: SignedResponse, challenge: string, publicKey: Uint8Array): Promise<Signed | null>;
  /** The id by which devices know a member; a key that the device has picked says it. */
  handleOf(memberId: string): string;
}
