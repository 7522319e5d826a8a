/** Counts calls to banks over all processes. */
export interface BankCalls {
  /**
   * Counts one more call of the scope and returns 0, when at most `most` calls then lie within `windowMs`. Otherwise
   * nothing is counted, and it returns after how many milliseconds to ask again.
   */
  take(scope: string, limit: { readonly most: number; readonly windowMs: number }): Promise<number>;
}
