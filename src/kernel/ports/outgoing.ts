/** What is stored and shown of a document that was sent. */
export interface ShownDocument {
  readonly filename: string;
  /** The address at which the same document can be downloaded. */
  readonly url: string;
}

/** A document that a message or an e-mail to a person carries. */
export interface OutgoingDocument extends ShownDocument {
  readonly contentType: string;
  readonly content: Uint8Array;
}

/** Who sends a message and why; external channels do not receive this. */
export interface OutgoingContext {
  readonly clientId: string;
  /** `null` for a message that concerns no debt, such as a new password. */
  readonly debtId: string | null;
  readonly purpose: string;
  /** The moment by the debt's own clock. */
  readonly at: Date;
}
