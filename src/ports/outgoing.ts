/** What every message to a person carries, whichever way it leaves. */
export interface OutgoingDocument {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array;
  /** Where the same document can be downloaded. */
  readonly url: string;
}

/** Who sends and why; outside channels do not see it. */
export interface OutgoingContext {
  readonly clientId: string;
  /** `null` for what concerns no debt, such as a new password. */
  readonly debtId: string | null;
  readonly purpose: string;
  /** On the debt's own clock. */
  readonly at: Date;
}
