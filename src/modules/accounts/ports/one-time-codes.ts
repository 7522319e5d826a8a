/** The codes that an app makes from a secret and the time (RFC 6238). */
export interface OneTimeCodes {
  newSecret(): string;
  /** The address that an app reads from a QR code. */
  uriOf(secret: string, label: string): string;
  /**
   * Returns the earliest step of 30 seconds, of the present one and its two neighbours, that is later than `after` and
   * has this code; null when there is none.
   */
  stepOf(secret: string, code: string, after: number): number | null;
}
